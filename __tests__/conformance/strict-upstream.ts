import net from "node:net";
import type { AddressInfo } from "node:net";
import { type Message, readMessages } from "./read-messages.ts";

/** What the upstream does with a request: bytes to answer, or what happens to the connection. */
export type UpstreamAnswer = string | ((socket: net.Socket, message: Message) => void);

/** An upstream that reads bytes with a strict parser of its own and keeps what arrived. */
export type StrictUpstream = Readonly<{
  port: number;
  /** Requests in the order of their arrival. */
  arrived: Message[];
  /** Bytes that no strict parser reads as requests. */
  violations: string[];
  /** From now on; each request whose head is early is answered before its body has come. */
  answerWith: (answer: UpstreamAnswer | undefined, isEarly?: IsEarly) => void;
  /** Forgets what arrived. */
  forget: () => void;
  close: () => Promise<void>;
}>;

/** The target of the request by which a case shows that a connection is still in step. */
export const sentinelTarget = "/sentinel";

type IsEarly = (head: Message) => boolean;

const never: IsEarly = () => false;

/** Starts an upstream, which answers each request with its method and target until it is told otherwise. */
export async function startStrictUpstream(): Promise<StrictUpstream> {
  const arrived: Message[] = [];
  const violations: string[] = [];
  const sockets = new Set<net.Socket>();
  let scripted: UpstreamAnswer | undefined;
  let isEarly = never;
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
        arrived.push(message);
        if (answeredEarly > 0) answeredEarly -= 1;
        else answer(socket, message, scripted);
      }
      if (isEarly === never || answeredEarly > 0) return;
      const head = readMessages(rest, () => "none").messages[0];
      if (head === undefined || !isEarly(head)) return;
      answeredEarly += 1;
      answer(socket, head, scripted);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  return { port, arrived, violations, answerWith, forget, close };

  function answerWith(next: UpstreamAnswer | undefined, early: IsEarly = never): void {
    scripted = next;
    isEarly = early;
  }

  function forget(): void {
    arrived.length = 0;
    violations.length = 0;
  }

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  }
}

function answer(socket: net.Socket, message: Message, scripted: UpstreamAnswer | undefined): void {
  const { line } = message;
  const [method = "", target = ""] = line.split(" ");
  if (scripted === undefined || target === sentinelTarget) {
    const body = `${method} ${target}`;
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${method === "HEAD" ? "" : body}`);
  } else if (typeof scripted === "string") {
    socket.write(scripted, "latin1");
  } else {
    scripted(socket, message);
  }
}
