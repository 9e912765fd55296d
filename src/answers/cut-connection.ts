import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { listenFirst, listenOnce } from "../unattended/guarded.ts";
import { tellsLength } from "./head-spoilt-by-middleware.ts";

/** Where only the end of the connection delimits the body, an ordinary end would make half a body look whole. */
export function cutConnection(res: ServerResponse): void {
  const socket = isDelimitedByClose(res) ? findResettable(res.socket) : undefined;
  if (socket === undefined) res.destroy();
  else socket.resetAndDestroy();
}

/**
 * Cuts the connection of an answer when the client ends its side before all of it is written: Node's server would end the
 * other side, too, in good order, and a client of HTTP/1.0 that still reads would take the half for the whole.
 */
export function cutWhenHalfClosed(res: ServerResponse): void {
  const { socket } = res.req;
  const cutting = listenFirst(socket, "end", () => {
    if (!res.writableEnded && isDelimitedByClose(res)) cutConnection(res);
  });
  listenOnce(res, "close", () => socket.off("end", cutting));
}

function isDelimitedByClose(res: ServerResponse): boolean {
  return res.headersSent && !res.chunkedEncoding && !tellsLength(res);
}

/** What Node's TLS servers keep of the connection below (seen in 20 to 24). */
type OverConnection = TLSSocket & Readonly<{ _parent?: Socket }>;

/** The connection of TCP, which alone has resets; a Unix domain socket has none, nor an address. */
function findResettable(socket: Socket | null): Socket | undefined {
  const connection = socket instanceof TLSSocket ? (socket as OverConnection)._parent : socket;
  const isTcp = connection?.constructor === Socket && connection.remoteAddress !== undefined;
  return isTcp ? connection : undefined;
}
