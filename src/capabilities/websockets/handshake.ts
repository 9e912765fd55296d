import { createHash } from "node:crypto";
import http, { type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { takeInFewPieces } from "../../bodies/pieces/take-in-few-pieces.ts";
import { watchBytes } from "../../clean-connections.ts";
import { createWholeBody } from "../../bodies/whole-body.ts";
import { UpstreamError } from "../../errors.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import { ignoreErrors, listen, listenOnce } from "../../unattended/guarded.ts";
import type { UpgradeRequest } from "./upgrade-request.ts";
import type { Call } from "../../forwarding/call.ts";
import { openConnection } from "../../forwarding/connect-in-time.ts";
import { noteFailure } from "../../forwarding/failure-notes.ts";
import type { Engine, EngineAnswer, EngineContext } from "../../forwarding/engines/engine.ts";
import { limitInterims } from "../../interim-answers.ts";
import { readOrigin } from "../../forwarding/read-origin.ts";
import { breakOff } from "../../forwarding/break-off-answer.ts";

/** What a cancelled handshake destroys: its request, and once that was accepted, the connection. */
type Handshake = { open: Readonly<{ destroy: (reason?: Error) => unknown }> };

/** Where it is noted that the connection stands. */
type Progress = Pick<Call, "handshakeStands">;

type Settle = Readonly<{ resolve: (answer: EngineAnswer) => void; reject: (failure: Error) => void }>;

/**
 * Sends one WebSocket handshake on a connection of its own. The upstream's 101 is checked before the gateway acts on
 * it, and the connection is left in the upgrade request; any other answer is an ordinary one.
 */
export function createHandshake(upgrade: UpgradeRequest, progress: Progress): Pick<Engine, "forward"> {
  return { forward };

  function forward(outgoing: Readonly<OutgoingRequest>, context: EngineContext): Promise<EngineAnswer> {
    return new Promise((resolve, reject) => {
      const request = createRequest(outgoing, context, progress);
      const handshake: Handshake = { open: request };
      const expectedAccept = acceptOf(outgoing);
      watchUntilUpgrade(request);
      listenOnce(request, "upgrade", (answer: IncomingMessage, socket: Socket, head: Buffer) => {
        handshake.open = hold(socket, head);
        receiveSwitch(answer, expectedAccept, { resolve: accept, reject: refuse });

        function accept(accepted: EngineAnswer): void {
          // A handler may call the upstream a second time: the first connection is not needed then.
          upgrade.upstream?.destroy();
          upgrade.upstream = socket;
          resolve(accepted);
        }

        function refuse(failure: Error): void {
          socket.destroy();
          reject(failure);
        }
      });
      listenOnce(request, "response", (answer: IncomingMessage) => {
        // The connection is in no pool: an upstream that waits for a next request would keep it open for ever.
        const { socket } = answer;
        // Node lets go of the connection at the end of the answer, and a cancelled exchange may still destroy it with a
        // reason.
        ignoreErrors(socket);
        listenOnce(request, "close", () => socket.destroy());
        listen(request, "error", (error: Error) => breakOff(answer, error));
        receiveAnswer(answer, { resolve, reject });
      });
      listen(request, "error", reject);
      limitInterims(request, reject);
      context.onCancel(createCancel(handshake));
      request.end();
    });
  }
}

/** A function of its own, so that for the life of the WebSocket nothing is kept but the connection. */
function createCancel(handshake: Handshake): (reason: Error) => void {
  return function cancelHandshake(reason) {
    handshake.open.destroy(reason);
  };
}

function createRequest(
  outgoing: Readonly<OutgoingRequest>,
  { connection }: EngineContext,
  progress: Progress,
): http.ClientRequest {
  const headers = { ...outgoing.headers, connection: "Upgrade", upgrade: "websocket" };
  delete (headers as OutgoingRequest["headers"])["content-length"];
  return http.request({
    method: "GET",
    path: outgoing.path,
    headers,
    createConnection() {
      const target = readOrigin(outgoing.origin);
      const socket = openConnection(target, connection);
      progress.handshakeStands = false;
      listenOnce(socket, target.secure ? "secureConnect" : "connect", () => (progress.handshakeStands = true));
      return socket;
    },
  });
}

/** Watches what the connection brings until it is a WebSocket's. */
function watchUntilUpgrade(request: http.ClientRequest): void {
  listenOnce(request, "socket", (socket: Socket) => {
    const watching = watchBytes(socket);
    listenOnce(request, "upgrade", () => socket.off("data", watching));
  });
}

/** Puts back what came right behind the 101, so that it stays before later bytes and before the end. */
function hold(socket: Socket, head: Buffer): Socket {
  // A connection that fails also closes, and the tunnel listens for that.
  ignoreErrors(socket);
  if (head.length > 0) socket.unshift(head);
  return socket;
}

function receiveSwitch(answer: IncomingMessage, expectedAccept: string, { resolve, reject }: Settle): void {
  const { upgrade, "sec-websocket-accept": accept } = answer.headers;
  if (upgrade?.toLowerCase() !== "websocket" || accept !== expectedAccept) {
    reject(notAccepted(answer, "The upstream's answer does not accept the WebSocket that was asked for."));
    return;
  }
  resolve({
    ...headOf(answer),
    body: createWholeBody(Buffer.alloc(0)),
    trailers: () => [],
  });
}

function receiveAnswer(answer: IncomingMessage, { resolve, reject }: Settle): void {
  const { statusCode = 0 } = answer;
  if (statusCode < 300) {
    answer.destroy();
    reject(notAccepted(answer, "The upstream answered as if no WebSocket had been asked for."));
    return;
  }
  takeInFewPieces(answer);
  resolve({
    ...headOf(answer),
    body: answer,
    trailers: () => answer.rawTrailers,
  });
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): {
  status: number;
  statusText: string;
  rawHeaders: string[];
} {
  return { status: statusCode ?? 0, statusText: statusMessage ?? "", rawHeaders };
}

function notAccepted({ statusCode }: IncomingMessage, message: string): UpstreamError {
  return noteFailure(new UpstreamError("upgrade-not-accepted", message), { answered: statusCode });
}

const websocketId = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

function acceptOf({ headers }: Readonly<OutgoingRequest>): string {
  return createHash("sha1")
    .update(`${String(headers["sec-websocket-key"])}${websocketId}`)
    .digest("base64");
}
