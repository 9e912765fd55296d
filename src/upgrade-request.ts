import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RequestError } from "./errors.ts";

/** A request for a WebSocket on its way through the app. */
export type UpgradeRequest = {
  readonly client: Socket;
  /** What the client sent right behind the head of its request. */
  readonly head: Buffer;
  /** The other end, once an upstream has accepted. */
  upstream?: Socket;
};

const upgradeRequests = new WeakMap<IncomingMessage, UpgradeRequest>();

/** Notes that a request asks for a WebSocket; its headers say so only until a gateway has cleaned them. */
export function markUpgrade(req: IncomingMessage, upgrade: UpgradeRequest): void {
  upgradeRequests.set(req, upgrade);
}

/** What is known of a request that asks for a WebSocket; undefined for all others. */
export function findUpgrade(req: IncomingMessage): UpgradeRequest | undefined {
  return upgradeRequests.get(req);
}

/** Why a request for an upgrade is refused before any app sees it. */
export function findUpgradeRefusal({ headers }: Pick<IncomingMessage, "headers">): RequestError | undefined {
  if (headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0") {
    return new RequestError("upgrade-with-body", "An upgrade request cannot have a body.");
  }
  if (headers.upgrade?.toLowerCase() === "websocket") return undefined;
  return new RequestError("upgrade-unsupported", "Only WebSockets can be upgraded to here.");
}
