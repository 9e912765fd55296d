import { readFile } from "node:fs/promises";
import { readAddress } from "../addresses/read-address.ts";
import { explainRequest } from "../explain/explain-request.ts";
import type { Explanation } from "../explain/explanation.ts";
import { explainToken } from "../explain/explain-token.ts";
import { maskByConfig } from "../explain/mask-by-config.ts";
import { printExplanation } from "../explain/print-explanation.ts";
import { pathOf } from "../urls/path-and-query.ts";
import { type CommandIo, defineCommand, UsageError } from "./command.ts";
import { configOptions } from "./config-options.ts";
import { toRequestTarget } from "./path-as-sent.ts";
import { readWithLines } from "./read-with-lines.ts";
import { exitCodes } from "./exit-codes.ts";

/** `waymark explain`: what the gateway would do with one request, and why. */
export const explain = defineCommand({
  name: "explain",
  summary: "Tell where a request would go, and why; nothing is sent",
  usage: "<file|folder> [more files] <METHOD> <path>",
  positionals: { least: 3, most: Infinity },
  options: {
    header: {
      type: "string",
      short: "H",
      multiple: true,
      value: "name: value",
      description: "A header of the request; may be given several times",
    },
    host: { type: "string", value: "host[:port]", description: "The Host header of the request; localhost by default" },
    token: {
      type: "string",
      value: "file",
      description: "A file with a token, or - for stdin: whether the route lets it in; nobody is asked",
    },
    address: {
      type: "string",
      value: "address",
      description: "Where the client is: whether address lists let it in",
    },
    mount: { type: "string", value: "path", description: "Where the gateway is mounted, for X-Forwarded-Prefix" },
    format: {
      type: "string",
      choices: ["text", "json"],
      default: "text",
      value: "format",
      description: "How to tell it",
    },
    ...configOptions,
  },
  examples: [
    {
      line: "waymark explain gateway.json GET /orders/7",
      explanation: "exits with 0 if it would be sent, with 1 if not",
    },
    {
      line: 'waymark explain gateway.json GET "/orders/7?full" --host shop.example -H "X-Tenant: blue"',
      explanation: "with what else decides about the route",
    },
    {
      line: "waymark explain gateway.json GET /orders/7 --token token.txt",
      explanation: "whether the route lets this token in, as far as that can be told without asking anybody",
    },
    {
      line: "waymark explain gateway.json GET /orders/7 --address 10.1.2.3",
      explanation: "whether a client there may come in",
    },
  ],
  async run({ header = [], host, mount, address, format, token: tokenFile, ...values }, words, io) {
    const [paths, [method, path]] = [words.slice(0, -2), words.slice(-2)];
    if (method!.includes("/")) throw misplaced(method!, path!);
    const { config, lineOf } = await readWithLines(paths, values, io);
    const asked = {
      method: method!.toUpperCase(),
      path: toRequestTarget(path!),
      host: host ?? hostIn(path!),
      headers: readHeaders(header),
      mountPath: mount,
      address: address === undefined ? undefined : checkAddress(address),
    };
    const token = tokenFile === undefined ? undefined : await readToken(tokenFile, io);
    const found = explainRequest(config, asked);
    const opened = token === undefined ? undefined : await explainToken(config, found, token);
    const masked = maskByConfig(config, found);
    const routes = masked.routes.map((route) => ({ ...route, line: lineOf(route.index) }));
    const explanation = { ...masked, routes, ...(opened === undefined ? {} : { token: opened }) };
    io.write(
      format === "json" ? `${JSON.stringify(explanation, undefined, 2)}\n` : printExplanation(explanation, io.style),
    );
    if (explanation.outcome === "no-route" && mount !== undefined) hintAtMount(pathOf(asked.path), mount, io);
    const isSent = sendingOutcomes.has(explanation.outcome) && opened?.verdict !== "fails";
    return isSent ? exitCodes.fine : exitCodes.problems;
  },
});

function misplaced(found: string, behind: string): UsageError {
  const order = behind.includes("/") ? "" : `: ${behind} ${found}`;
  return new UsageError(`The method stands before the path${order}, received ${JSON.stringify(found)} as the method.`);
}

/** A route takes what follows the path of a mount: whoever has copied an address gave the whole of it. */
function hintAtMount(path: string, mount: string, io: CommandIo): void {
  const rest = path.startsWith(`${mount}/`) ? path.slice(mount.length) : path === mount ? "/" : undefined;
  if (rest === undefined) return;
  io.complain(`The path is what follows that of --mount: to ask for ${path} of the app, write ${rest}.\n`);
}

const sendingOutcomes: ReadonlySet<Explanation["outcome"]> = new Set(["forwarded", "websocket", "aggregate"]);

function checkAddress(text: string): string {
  if (readAddress(text) !== undefined) return text;
  throw new UsageError(`--address is an address, such as 10.1.2.3 or 2001:db8::1, received ${JSON.stringify(text)}.`);
}

/** A token as clients send it, or the whole value of their header. No message quotes it. */
async function readToken(file: string, io: CommandIo): Promise<string> {
  const text = await (file === "-" ? io.read() : readFile(file, "utf8")).catch((error: unknown) => {
    throw new UsageError(`Cannot read the token ${JSON.stringify(file)}: ${(error as Error).message}.`);
  });
  const token = text.trim().replace(/^bearer +/i, "");
  if (token !== "") return token;
  throw new UsageError(`There is no token in ${file === "-" ? "stdin" : JSON.stringify(file)}.`);
}

const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

function readHeaders(lines: readonly string[]): Record<string, string[]> {
  const headers = Object.create(null) as Record<string, string[]>;
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined) throw new UsageError(`--header is "name: value", received ${JSON.stringify(line)}.`);
    (headers[name.toLowerCase()] ??= []).push(value!);
  }
  return headers;
}

/** The host of a whole URL. */
function hostIn(path: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(path)?.[1];
}
