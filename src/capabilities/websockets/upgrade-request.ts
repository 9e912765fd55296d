import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** A request for a WebSocket on its way through the app. */
export type UpgradeRequest = {
  readonly client: Socket;
  /** What the client sent right behind the head of its request. */
  readonly head: Buffer;
  /** The other end, once an upstream has accepted. */
  upstream?: Socket;
  /** When the WebSocket ends because its client may not have it any longer; in milliseconds since 1970. */
  endsAt?: number;
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
