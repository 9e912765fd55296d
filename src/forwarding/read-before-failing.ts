import type { Socket } from "node:net";
import { listenOnce } from "../unattended/guarded.ts";

type Settle = (error?: Error | null) => void;

/**
 * Lets a failed write end a connection only when all is read that has come in: an upstream that does not want an upload
 * answers, and closes before it has read the rest. Its answer is there by the time that the next write fails.
 */
export function readBeforeFailing(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writeSeveral = socket._writev!.bind(socket);
  socket._write = (chunk, encoding, settle) => write(chunk, encoding, later(settle));
  socket._writev = (chunks, settle) => writeSeveral(chunks, later(settle));

  function later(settle: Settle): Settle {
    return function settleLater(error) {
      if (error && !socket.connecting && !socket.destroyed && !socket.readableEnded)
        onceRead(socket, () => settle(error));
      else settle(error);
    };
  }
}

/** The end itself is not shown: behind a failure it would pass for the end of an answer that tells no length. */
function onceRead(socket: Socket, fail: () => void): void {
  const push = socket.push.bind(socket);
  let isOver = false;
  socket.push = (chunk, encoding) => {
    if (chunk !== null) return push(chunk, encoding);
    end();
    return false;
  };
  listenOnce(socket, "close", end);

  function end(): void {
    if (isOver) return;
    isOver = true;
    fail();
  }
}
