import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { RequestError } from "../../errors.ts";

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

/**
 * Whether an upgrade that Node has recognised is to a WebSocket, among other protocols perhaps. An upgrade to another
 * protocol is an ordinary request, and so is any upgrade before HTTP/1.1.
 */
export function asksForWebSocket({
  headers: { upgrade = "" },
  httpVersion,
}: Pick<IncomingMessage, "headers" | "httpVersion">): boolean {
  if (httpVersion === "1.0") return false;
  return upgrade.split(",").some((protocol) => protocol.trim().toLowerCase() === "websocket");
}

/** Why a request for a WebSocket is refused before any app sees it. */
export function refuseBodyOfUpgrade({ headers }: Pick<IncomingMessage, "headers">): RequestError | undefined {
  if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return undefined;
  return new RequestError("upgrade-with-body", "A request for a WebSocket cannot have a body.");
}
