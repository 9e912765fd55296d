import type { Socket } from "node:net";
import { every, listenOnce } from "../unattended/guarded.ts";

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

const pause = 20;

/** The end itself is not shown: behind a failure it would pass for the end of an answer that tells no length. */
function onceRead(socket: Socket, fail: () => void): void {
  const push = socket.push.bind(socket);
  let looking: NodeJS.Timeout | undefined;
  let isOver = false;
  socket.push = (chunk, encoding) => {
    if (chunk !== null) return push(chunk, encoding);
    // A client that reads slowly lets what has come wait here, and nothing tells when it is gone.
    looking ??= every(pause, endOnceEmpty, socket);
    endOnceEmpty();
    return false;
  };
  // Where the end has come in already, only its showing is to be waited for.
  for (const event of ["end", "close"]) listenOnce(socket, event, end);

  function endOnceEmpty(): void {
    if (socket.readableLength === 0) end();
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(looking);
    fail();
  }
}
