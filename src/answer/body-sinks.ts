import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Flow, Sink } from "./answer-body.ts";
import { endResponse } from "./end-response.ts";

/** Makes the sink that writes into a client's response; settles once the body is written, or broken off. */
export function createResponseSink(
  res: ServerResponse,
  flow: Flow,
  resolve: () => void,
  reject: (error: Error) => void,
): Sink {
  return {
    write(chunk) {
      if (res.writableEnded) flow.abort(new Error("The response was ended by somebody else."));
      else if (writeOut(res, chunk, flow.written)) return true;
      else res.once("drain", () => flow.resume());
      return false;
    },
    end(last) {
      if (!res.writableEnded) endResponse(res, last);
      resolve();
    },
    fail(error) {
      if (res.destroyed) resolve();
      else reject(error);
    },
  };
}

/** Tells when a chunk is out for good; where anybody between here and the system might keep it, it never is. */
function writeOut(res: ServerResponse, chunk: Buffer, written: Flow["written"]): boolean {
  if (written === undefined || !isNodesOwn(res)) return res.write(chunk);
  return res.write(chunk, (error) => {
    if (!error) written(chunk);
  });
}

function isNodesOwn(res: ServerResponse): boolean {
  const { socket } = res;
  if (res.write !== ServerResponse.prototype.write || socket?.write !== Socket.prototype.write) return false;
  return socket.constructor === Socket || socket.constructor === TLSSocket;
}

/** Makes a stream of a body, which `sendTo` then sends there. */
export function createStream(flow: Flow, sendTo: (sink: Sink) => void): Readable {
  let isOver = false;
  const stream = new Readable({
    read: () => void flow.resume(),
    destroy(error, callback) {
      if (!isOver) flow.abort(error ?? new Error("Nobody wants the rest of the body."));
      // As with an answer of node:http: who does not listen for errors is not brought down by one.
      callback(stream.listenerCount("error") > 0 ? error : null);
    },
  });
  sendTo({
    write: (chunk) => stream.push(chunk),
    end(last) {
      isOver = true;
      if (last !== undefined) stream.push(last);
      stream.push(null);
    },
    fail(error) {
      isOver = true;
      stream.destroy(error);
    },
  });
  return stream;
}
