import { channel } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { isNodesOwnSocket } from "../../answer/nodes-own.ts";
import { createDisposal } from "./free-sent.ts";
import type { Connection } from "./undici-connections.ts";

/** Where undici shows what it sends. */
const sent = channel("undici:request:bodyChunkSent");

/**
 * What undici gets to see of a request's body. It destroys what it is given, and takes the socket of a client's request
 * away with it; and it would give a body that has come in already a length that the client has not sent. Nothing is
 * read before undici asks, so that another host can be tried after a refusal.
 */
export function createRequestBody(source: Readable, connection: Pick<Connection, "socket">): Readable {
  let isReading = false;
  let disposeLater: (piece: Buffer | string) => void;
  const view = new Readable({
    read() {
      if (!isReading) startReading();
      source.resume();
    },
    destroy(error, callback) {
      source.off("data", push).off("end", end).off("close", closeEarly);
      // What a client still sends flows off: its connection would be stuck with it.
      if (!(source instanceof IncomingMessage)) source.destroy();
      callback(error);
    },
  });
  // Whoever has let go of the view by then has its answer, or its failure.
  view.on("error", () => undefined);
  if (source.errored !== null) view.destroy(source.errored);
  source.on("error", (error) => view.destroy(error));
  return view;

  function startReading(): void {
    isReading = true;
    disposeLater = createDisposal({ source, readers: 1, countUnsent });
    source.on("data", push);
    source.once("end", end);
    source.once("close", closeEarly);
  }

  function push(chunk: Buffer | string): void {
    disposeLater(chunk);
    if (!view.push(chunk)) source.pause();
  }

  /** What has left the view was written to the socket in the same moment. */
  function countUnsent(): number | undefined {
    const { socket } = connection;
    if (socket === undefined || socket.destroyed || !isNodesOwnSocket(socket) || sent.hasSubscribers) return undefined;
    return view.readableLength + socket.writableLength;
  }

  function end(): void {
    view.push(null);
  }

  function closeEarly(): void {
    if (!source.readableEnded) view.destroy(new Error("The body of the request broke off."));
  }
}
