import net from "node:net";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { type BodyKind, type Message, readMessages, valuesOf } from "../conformance/read-messages.ts";
import type { RequestParts } from "./client-places.ts";

/** A request of a conversation; its number comes back with its answer. */
export type NumberedRequest = Readonly<{ number: number; parts: RequestParts }>;

/** How a client talks. */
export type Manner = Readonly<{
  /** All requests at once, instead of one when the answer before has come. */
  isPipelined?: boolean;
  /** The part of the bytes after which the client leaves, from 0 to 1. */
  leavesAt?: number | undefined;
  /** The upstream breaks the rules, so that a connection may end instead of an answer. */
  mayBreak?: boolean;
  /** The upstream may leave an answer unfinished, so that nothing more comes. */
  mayStall?: boolean;
  /** Whatever answers names the request in `X-Asked`; where it is false, only the upstream's answers bear a number. */
  isNamed?: boolean;
}>;

const defaults = { method: "GET", target: "/api/x", version: "HTTP/1.1", host: "gw.example", headers: [], body: "" };

/** The bytes of a request. */
export function bytesOf({ number, parts }: NumberedRequest): string {
  const { method, target, version, host, headers, body } = { ...defaults, ...parts };
  return [`${method} ${target} ${version}`, `Host: ${host}`, `X-Case: ${number}`, ...headers, "", body].join("\r\n");
}

const switched = 101;
const quietMilliseconds = 100;
const longestMilliseconds = 20_000;

/** Talks on one connection, and tells everything that a strict client finds wrong with the answers. */
export function converse(port: number, requests: readonly NumberedRequest[], manner: Manner = {}): Promise<string[]> {
  const pieces = requests.map(bytesOf);
  const mayWait = manner.mayStall === true || requests.some(({ parts }) => parts.mayWait === true);
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let asked = 0;
    let isLate = false;
    const timer = setTimeout(giveUp, mayWait ? quietMilliseconds : longestMilliseconds);
    socket.setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("data", (text: string) => {
      received += text;
      timer.refresh();
      goOn();
    });
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(manner.leavesAt === undefined ? judge(received, requests, { ...manner, isLate, isClosed: true }) : []);
    });
    if (manner.leavesAt !== undefined) leave(manner.leavesAt);
    else goOn();

    function goOn(): void {
      const { finals, isOver } = readAnswers(received, requests, false);
      if (isOver || finals.length >= requests.length) {
        socket.destroy();
        return;
      }
      const mayAsk = manner.isPipelined ? requests.length : finals.length + 1;
      socket.write(pieces.slice(asked, mayAsk).join(""), "latin1");
      asked = Math.max(asked, mayAsk);
    }

    function giveUp(): void {
      isLate = !mayWait;
      socket.destroy();
    }

    function leave(at: number): void {
      const bytes = pieces.join("");
      socket.write(bytes.slice(0, Math.ceil(bytes.length * at)), "latin1", () => setImmediate(() => socket.destroy()));
    }
  });
}

type Read = Readonly<{ finals: readonly Message[]; rest: string; isBroken: boolean; isOver: boolean }>;

/** Leaves interim answers out. Behind an upgrade, and behind bytes that nobody can read, the conversation is over. */
function readAnswers(text: string, requests: readonly NumberedRequest[], isClosed: boolean): Read {
  let finals = 0;
  const { messages, rest, isBroken } = readMessages(text, (message) => {
    const status = statusOf(message.line);
    if (isInterim(message.line)) return "none";
    finals += 1;
    return status === switched ? "until-close" : bodyKindOf(message, requests[finals - 1], isClosed);
  });
  const finalOnes = messages.filter(({ line }) => !isInterim(line));
  const isUpgraded = messages.some(({ line }) => statusOf(line) === switched);
  return { finals: finalOnes, rest, isBroken, isOver: isUpgraded || isBroken };
}

function isInterim(line: string): boolean {
  return statusOf(line) < 200 && statusOf(line) !== switched;
}

/** Only an answer that says so, or one to HTTP/1.0, may end with its connection. */
function bodyKindOf({ line, headers }: Message, request: NumberedRequest | undefined, isClosed: boolean): BodyKind {
  const status = statusOf(line);
  const { method, version } = { ...defaults, ...request?.parts };
  if (method === "HEAD" || status === 204 || status === 304) return "none";
  if (["content-length", "transfer-encoding"].some((name) => valuesOf(headers, name).length > 0)) return "framed";
  const mayEndByClosing = valuesOf(headers, "connection").includes("close") || version === "HTTP/1.0";
  if (!mayEndByClosing) return "broken";
  return isClosed ? "until-close" : "unfinished";
}

function statusOf(line: string): number {
  return Number(/^HTTP\/1\.1 ([1-9]\d\d) [\t\x20-\x7e\x80-\xff]*$/.exec(line)?.[1] ?? Number.NaN);
}

type Circumstances = Manner & Readonly<{ isLate: boolean; isClosed: boolean }>;

function judge(text: string, requests: readonly NumberedRequest[], how: Circumstances): string[] {
  const { finals, rest, isBroken, isOver } = readAnswers(text, requests, how.isClosed);
  const problems = finals.flatMap((answer) => judgeAnswer(answer, how));
  const shown = () => JSON.stringify(rest.slice(0, 200));
  if (isBroken) problems.push(`an answer that no strict parser reads: ${shown()}`);
  if (rest !== "" && !isBroken && !how.mayBreak && !how.isLate)
    problems.push(`an answer that is not whole: ${shown()}`);
  if (!"HTTP/1.1 ".startsWith(rest.slice(0, 9))) problems.push(`bytes behind an answer: ${shown()}`);
  if (how.isLate) problems.push(`no answer, ${finals.length} of ${requests.length} so far`);
  const mayBeSilent =
    isOver ||
    how.mayBreak === true ||
    requests.some(({ parts }) => parts.mayWait === true || (how.isPipelined === true && parts.switches === true));
  if (finals.length === 0 && !mayBeSilent && !how.isLate) problems.push("a connection that ended without an answer");
  return [...problems, ...judgeOrder(finals, requests, namesIn(how))];
}

/** Each answer has to be that of its own request, whoever gave it. */
function judgeAnswer(message: Message, how: Manner): string[] {
  const { line, headers } = message;
  const problems: string[] = [];
  const status = statusOf(line);
  if (Number.isNaN(status)) problems.push(`the status line ${JSON.stringify(line)}`);
  if (status === 204 && valuesOf(headers, "content-length").length > 0) problems.push("a length with a 204");
  const [asked, ...more] = valuesOf(headers, namesIn(how));
  if (more.length > 0) problems.push("an answer that is two");
  const cases = readCases(message);
  if (cases === undefined && !how.mayBreak) problems.push("a body that cannot be decoded");
  const answered = [...valuesOf(headers, "x-case"), ...(cases ?? [])];
  for (const number of answered)
    if (number !== asked) problems.push(`the answer to ${number} was given to ${asked ?? "nobody"}: ${line}`);
  return problems;
}

/** The header that tells which request an answer is for. */
function namesIn({ isNamed = true }: Manner): string {
  return isNamed ? "x-asked" : "x-case";
}

function judgeOrder(finals: readonly Message[], requests: readonly NumberedRequest[], name: string): string[] {
  const numbers = requests.map(({ number }) => String(number));
  const asked = finals.flatMap(({ headers }) => valuesOf(headers, name));
  const inOrder = numbers.filter((number) => asked.includes(number));
  return String(inOrder) === String(asked) ? [] : [`answers to ${String(asked)} where ${String(numbers)} asked`];
}

const caseInBody = /(?<="case":")\d+/g;
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

/** The numbers that a body speaks of; undefined where it cannot be decoded. */
function readCases({ headers, body }: Message): string[] | undefined {
  const decode = decoders[valuesOf(headers, "content-encoding")[0] ?? ""];
  if (decode === undefined || body === "") return body.match(caseInBody) ?? [];
  try {
    return decode(Buffer.from(body, "latin1")).toString("latin1").match(caseInBody) ?? [];
  } catch {
    return undefined;
  }
}
