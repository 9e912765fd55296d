/** A request as a curl line asks for it; `headersFrom` is where a first curl fetches headers for it. */
export type CurlRequest = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
  headersFrom?: string;
};

type Option = (request: CurlRequest, value: string) => void;

const options: Readonly<Record<string, Option>> = {
  "-X": (request, value) => void (request.method = value),
  "-H": (request, value) =>
    void (request.headers[value.slice(0, value.indexOf(": "))] = value.slice(value.indexOf(": ") + 2)),
  "-d": (request, value) => void Object.assign(request, { body: value }),
};

const flags: ReadonlySet<string> = new Set(["-i", "-s"]);
const headersOfFirst = " -H @-";

/** Reads a curl line as a shell would; whatever a shell would not take literally throws. */
export function readCurlLine(line: string): CurlRequest {
  const [first, second] = line.split(" | ");
  if (second === undefined) return readCommand(line);
  if (!second.includes(headersOfFirst)) throw new Error(`The second curl takes nothing of the first: ${line}`);
  return { ...readCommand(second.replace(headersOfFirst, "")), headersFrom: readCommand(first!).url };
}

function readCommand(line: string): CurlRequest {
  const [command, ...words] = splitWords(line.trim());
  if (command !== "curl") throw new Error(`No curl line: ${line}`);
  const request: CurlRequest = { url: "", method: "GET", headers: {} };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const option = options[word];
    if (option !== undefined) option(request, words[(index += 1)]!);
    else if (!word.startsWith("-")) request.url = word;
    else if (!flags.has(word)) throw new Error(`Unknown option of curl: ${word}`);
  }
  return request;
}

const wordPattern = /"([^"\\$`!]*)"|([\w./:=@%+-]+)/y;

function splitWords(line: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < line.length; at = wordPattern.lastIndex + 1) {
    wordPattern.lastIndex = at;
    const [, quoted, bare] = wordPattern.exec(line) ?? fail(line.slice(at));
    words.push(quoted ?? bare!);
  }
  return words;
}

function fail(rest: string): never {
  throw new Error(`A shell would not take this as it is: ${rest}`);
}
