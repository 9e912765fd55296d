import net from "node:net";
import type { AddressInfo } from "node:net";
import { type Message, readMessages, valuesOf } from "../conformance/read-messages.ts";

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

/** An upstream that reads strictly, and answers each request with its number: as its script says, or with JSON. */
export type ScriptedUpstream = Readonly<{
  port: number;
  scripts: Map<string, Script>;
  /** Bytes that no strict parser reads as requests. */
  violations: string[];
  close: () => Promise<void>;
}>;

/** Starts one. */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const scripts = new Map<string, Script>();
  const violations: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer({ noDelay: true }, (socket) => {
    let buffered = "";
    let answeredEarly = 0;
    sockets.add(socket);
    socket.setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (text: string) => {
      const { messages, rest, isBroken } = readMessages(buffered + text, () => "framed");
      buffered = rest;
      if (isBroken) violations.push(rest);
      for (const message of messages) {
        if (answeredEarly > 0) answeredEarly -= 1;
        else answer(socket, message, scripts);
      }
      const early = readMessages(rest, () => "none").messages[0];
      if (early === undefined || answeredEarly > 0 || !scripts.get(caseOf(early))?.isEarly) return;
      answeredEarly += 1;
      answer(socket, early, scripts);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  return { port, scripts, violations, close };

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  }
}

function caseOf({ headers }: Message): string {
  return valuesOf(headers, "x-case")[0] ?? "";
}

function answer(socket: net.Socket, message: Message, scripts: ScriptedUpstream["scripts"]): void {
  const number = caseOf(message);
  const script = scripts.get(number);
  if (script === undefined) {
    socket.write(ordinaryAnswer(message, number), "latin1");
    return;
  }
  const bytes = script.bytes.replace("\r\n", `\r\nX-Case: ${number}\r\n`).replaceAll("NUMBER", number);
  write(socket, [...piecesOf(bytes, script.pace)], () => endings[script.then](socket));
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
