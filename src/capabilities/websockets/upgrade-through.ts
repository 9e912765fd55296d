import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { answerError } from "../../answers/answer-error.ts";
import { GatewayError } from "../../errors.ts";
import { after, guard, listenOnce, rightAfter } from "../../unattended/guarded.ts";
import { whenRejected } from "../../when-rejected.ts";
import { chooseLogger, type Logger } from "../../logging/logger.ts";
import { refuseBodyOfUpgrade } from "./refuse-websocket.ts";
import { markUpgrade } from "./upgrade-request.ts";
import { answerAsOrdinary } from "./other-upgrades-as-ordinary.ts";
import { createUpgradeResponse, isTaken } from "./upgrade-response.ts";
import { asksForWebSocket } from "./asks-for-websocket.ts";

/** An app that upgrade requests can go through: Express, Connect, a gateway, or any handler of a plain server. */
export type UpgradeApp = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => unknown;

/** A listener for a server's `upgrade` event. */
export type UpgradeListener = (this: unknown, req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** So long another listener may let a connection wait, from which nothing is read: a client that leaves is not noticed. */
const longestUntaken = 60_000;

/** Lets upgrade requests run through the whole app: `server.on("upgrade", upgradeThrough(app))`. */
export function upgradeThrough(app: UpgradeApp, options: Readonly<{ logger?: Logger | false }> = {}): UpgradeListener {
  requireApp(app);
  const logger = chooseLogger(options.logger);

  return function upgradeListener(req, duplex, head) {
    // Node's types promise less than its servers hand over.
    const socket = duplex as Socket;
    if (isOnlyListener(this)) answerThroughApp(req, socket, head, true);
    else rightAfter(answerUnlessTaken, socket);

    /** The other listeners have been called by now, and one of them may have begun to read. */
    function answerUnlessTaken(): void {
      if (!isTaken(socket)) answerThroughApp(req, socket, head, false);
    }
  };

  function answerThroughApp(req: IncomingMessage, socket: Socket, head: Buffer, isAlone: boolean): void {
    if (!asksForWebSocket(req)) {
      answerAsOrdinary(req, socket, head);
      return;
    }
    const response = createUpgradeResponse(req, socket, { isAlone });
    if (response === undefined) return;
    const { res, release } = response;
    const refusal = refuseBodyOfUpgrade(req);
    if (refusal !== undefined) {
      answerError(refusal, req, res);
      return;
    }
    markUpgrade(req, { client: socket, head });
    // Routers call it in a turn of their own, where no code above would catch what middleware makes of the answer.
    const notAnswered = guard(answerLast, res);
    try {
      whenRejected(app(req, res, notAnswered), notAnswered);
    } catch (error) {
      notAnswered(error);
    }

    function answerLast(error?: unknown): void {
      const isError = error !== undefined && error !== null;
      if (isError) logUnexpected(error, logger);
      if (res.headersSent) res.destroy();
      else if (isError) answerError(error, req, res);
      else if (isAlone) answerError(notFound(), req, res);
      else {
        release();
        closeUnlessTaken(socket);
      }
    }
  }
}

function closeUnlessTaken(socket: Socket): void {
  const { bytesWritten } = socket;
  const patience = after(longestUntaken, closeIfUntaken, socket).unref();
  listenOnce(socket, "close", () => clearTimeout(patience));

  /** Somebody may have taken it who only writes. */
  function closeIfUntaken(): void {
    if (!isTaken(socket) && socket.bytesWritten === bytesWritten) socket.destroy();
  }
}

function notFound(): GatewayError {
  return new GatewayError("no-route", "Nothing at this path can be upgraded.");
}

function requireApp(app: unknown): void {
  if (typeof app === "function") return;
  throw new GatewayError(
    "option-invalid",
    `upgradeThrough() takes the app or gateway that also answers requests, received ${app === null ? "null" : typeof app}. ` +
      'Write server.on("upgrade", upgradeThrough(app)).',
  );
}

/** Node calls a listener on its server. */
function isOnlyListener(server: unknown): boolean {
  return !(server instanceof EventEmitter) || server.listenerCount("upgrade") < 2;
}

/** Gateways log their own failures; of any other failure no other log would tell. */
function logUnexpected(error: unknown, logger: Logger): void {
  if (!(error instanceof GatewayError)) logger.error({ err: error }, "An upgrade request failed in the app.");
}
