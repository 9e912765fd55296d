import type net from "node:net";
import { type Message, valuesOf } from "../conformance/read-messages.ts";

/** What the upstream does for one request. */
export type Script = Readonly<{
  /** The bytes of the answer, without the header that names the request; `NUMBER` stands for the request's number. */
  bytes: string;
  pace: "at once" | "byte by byte" | "in two parts";
  /** What becomes of the connection afterwards. */
  then: "goes on" | "ends" | "is reset";
  /** Whether it answers as soon as it has read the head. */
  isEarly: boolean;
}>;

/** By the number of the request for which it is meant. */
export type Scripts = ReadonlyMap<string, Script>;

/** Whether a script answers as soon as this head has come. */
export const isEarlyBy =
  (scripts: Scripts) =>
  (head: Message): boolean =>
    scripts.get(caseOf(head))?.isEarly ?? false;

/** Answers each request with its number: as its script says, or with JSON. */
export function answerBy(scripts: Scripts): (socket: net.Socket, message: Message) => void {
  return function answer(socket, message) {
    const number = caseOf(message);
    const script = scripts.get(number);
    if (script === undefined) {
      socket.write(ordinaryAnswer(message, number), "latin1");
      return;
    }
    const bytes = script.bytes.replace("\r\n", `\r\nX-Case: ${number}\r\n`).replaceAll("NUMBER", number);
    write(socket, [...piecesOf(bytes, script.pace)], () => endings[script.then](socket));
  };
}

function caseOf({ headers }: Message): string {
  return valuesOf(headers, "x-case")[0] ?? "";
}

/** Accepts WebSockets; whatever else is asked gets JSON. */
function ordinaryAnswer({ line, headers }: Message, number: string): string {
  if (valuesOf(headers, "upgrade").length > 0) {
    const key = valuesOf(headers, "sec-websocket-key")[0] ?? "";
    return `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Case: ${number}\r\nX-Key: ${key}\r\n\r\n`;
  }
  const body = JSON.stringify({ case: number, text: "0123456789".repeat(20) });
  const head = ["HTTP/1.1 200 OK", `X-Case: ${number}`, "Content-Type: application/json"];
  return [...head, `Content-Length: ${body.length}`, "", line.startsWith("HEAD ") ? "" : body].join("\r\n");
}

const endings: Readonly<Record<Script["then"], (socket: net.Socket) => void>> = {
  "goes on": () => undefined,
  ends: (socket) => socket.end(),
  "is reset": (socket) => socket.resetAndDestroy(),
};

function piecesOf(bytes: string, pace: Script["pace"]): readonly string[] {
  if (pace === "byte by byte") return bytes.split("");
  const half = bytes.length >> 1;
  return pace === "at once" ? [bytes] : [bytes.slice(0, half), bytes.slice(half)];
}

/** A turn of the event loop lies between two pieces, so that they leave as pieces. */
function write(socket: net.Socket, pieces: readonly string[], done: () => void): void {
  const [piece, ...others] = pieces;
  if (piece === undefined || socket.destroyed) done();
  else socket.write(piece, "latin1", () => setImmediate(() => write(socket, others, done)));
}
