import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { callReplica } from "./call-replica.ts";
import { forwardedHeaders } from "./request-headers.ts";
import { receivedAnswer, relayedHeaders, type ServiceAnswer } from "./service-answer.ts";
import type { Timeouts } from "./timeouts.ts";
import type { Transport, Verdict } from "./transport.ts";
import { isFromMovedReplica, verdictsOnUpgrade } from "./tried-again.ts";

/** What a WebSocket handshake came to: a tunnel's other end, or the status of a refusal. */
export type UpgradeAnswer =
  | Readonly<{ isOpen: true; message: IncomingMessage; socket: Duplex; head: Buffer }>
  | Readonly<{ isOpen: false; status: number }>;

/** Whether a request asks for a WebSocket; any other upgrade is an ordinary request. */
export function isWebSocketUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/** Sends WebSocket handshakes. */
export function upgradeTransport(
  request: IncomingMessage,
  timeouts: Timeouts,
  signal: AbortSignal,
): Transport<UpgradeAnswer> {
  const { method = "GET" } = request;
  const judge = (answer: ServiceAnswer): Verdict<UpgradeAnswer> =>
    isFromMovedReplica(answer, { method, hasBody: false })
      ? "again"
      : { answer: { isOpen: false, status: answer.status } };
  const patience = (milliseconds: number) => Math.min(timeouts.webSocketOpen * 1000, milliseconds);

  return {
    judge,
    patience,
    failed: (failure) => verdictsOnUpgrade[failure],
    async send(target, milliseconds) {
      const result = await callReplica(target, {
        method,
        signal,
        headers: [...forwardedHeaders(request, target), "Connection", "Upgrade"],
        connectMilliseconds: Math.min(timeouts.connect * 1000, milliseconds),
        answerMilliseconds: patience(milliseconds),
        sendBody: (outgoing) => outgoing.end(),
      });
      if (result.kind === "upgrade") {
        const { message, socket, head } = result;
        return { result: "101", verdict: { answer: { isOpen: true, message, socket, head } } };
      }
      if (result.kind !== "answer") return { result: result.kind, verdict: verdictsOnUpgrade[result.kind] };
      // The client gets the status alone.
      result.message.destroy();
      return { result: String(result.message.statusCode), verdict: judge(receivedAnswer(result.message)) };
    },
  };
}

/** The head of the answer that tells the client its WebSocket is open. */
export function upgradeHead(message: IncomingMessage): string {
  const headers = [...relayedHeaders(message.rawHeaders), "Connection", "Upgrade"];
  const lines = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`;
}
