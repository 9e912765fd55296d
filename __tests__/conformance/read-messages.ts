/** One message as it stood on the wire. */
export type Message = { line: string; headers: [string, string][]; body: string; trailers: [string, string][] };

/** What a stream of bytes holds: whole messages, and what is left over. */
export type ReadResult = Readonly<{ messages: readonly Message[]; rest: string; isBroken: boolean }>;

type Delimited = Readonly<{ body: string; rest: string; trailers?: [string, string][] }> | undefined;

/** How a message says where its body ends; "unfinished" is one that ends with a connection that is still open. */
export type BodyKind = "framed" | "none" | "until-close" | "unfinished" | "broken";

/** Reads messages strictly: what two parsers could read differently counts as broken. */
export function readMessages(bytes: string, bodyFollows: (message: Message, index: number) => BodyKind): ReadResult {
  const messages: Message[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return { messages, rest, isBroken: false };
    const message = readHead(rest.slice(0, end));
    if (message === undefined) return { messages, rest, isBroken: true };
    const kind = bodyFollows(message, messages.length);
    if (kind === "unfinished" || kind === "broken") return { messages, rest, isBroken: kind === "broken" };
    if (kind === "until-close")
      return { messages: [...messages, { ...message, body: rest.slice(end + 4) }], rest: "", isBroken: false };
    const delimited =
      kind === "none" ? { body: "", rest: rest.slice(end + 4) } : readBody(message, rest.slice(end + 4));
    if (delimited === "broken") return { messages, rest, isBroken: true };
    if (delimited === undefined) return { messages, rest, isBroken: false };
    messages.push({ ...message, body: delimited.body, trailers: delimited.trailers ?? [] });
    rest = delimited.rest;
  }
}

const fieldLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/;

function readHead(text: string): Message | undefined {
  const [line = "", ...fields] = text.split("\r\n");
  if (/[\r\n\0]/.test(line)) return undefined;
  const headers = readFields(fields);
  return headers === undefined ? undefined : { line, headers, body: "", trailers: [] };
}

function readFields(lines: readonly string[]): [string, string][] | undefined {
  const fields: [string, string][] = [];
  for (const line of lines) {
    const field = fieldLine.exec(line);
    if (field === null) return undefined;
    fields.push([field[1]!.toLowerCase(), field[2]!]);
  }
  return fields;
}

/** All values of a header. */
export function valuesOf(headers: readonly (readonly [string, string])[], name: string): string[] {
  return headers.filter(([field]) => field === name).map(([, value]) => value);
}

function readBody({ headers }: Message, rest: string): Delimited | "broken" {
  const lengths = valuesOf(headers, "content-length");
  const codings = valuesOf(headers, "transfer-encoding");
  if (lengths.length + codings.length > 1) return "broken";
  if (codings.length === 1) return codings[0] === "chunked" ? readChunks(rest) : "broken";
  if (lengths.length === 0) return { body: "", rest };
  if (!/^\d+$/.test(lengths[0]!)) return "broken";
  const length = Number(lengths[0]);
  return rest.length < length ? undefined : { body: rest.slice(0, length), rest: rest.slice(length) };
}

function readChunks(bytes: string): Delimited | "broken" {
  let body = "";
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n");
    if (end === -1) return undefined;
    if (!/^[\da-f]+$/i.test(rest.slice(0, end))) return "broken";
    const length = Number.parseInt(rest.slice(0, end), 16);
    rest = rest.slice(end + 2);
    if (length === 0) return readTrailers(body, rest);
    if (rest.length < length + 2) return undefined;
    if (rest.slice(length, length + 2) !== "\r\n") return "broken";
    body += rest.slice(0, length);
    rest = rest.slice(length + 2);
  }
}

function readTrailers(body: string, rest: string): Delimited | "broken" {
  if (rest.startsWith("\r\n")) return { body, rest: rest.slice(2) };
  const end = rest.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const trailers = readFields(rest.slice(0, end).split("\r\n"));
  return trailers === undefined ? "broken" : { body, rest: rest.slice(end + 4), trailers };
}
