import net from "node:net";
import type { AddressInfo } from "node:net";
import { keepPort } from "../helpers/hold-dead-port.ts";

/** One side of a connection, as somebody who types bytes sees it. */
export type Wire = Readonly<{
  socket: net.Socket;
  /** What has come in so far. */
  received: () => string;
  /** Waits until what has come in holds the text; fails when the connection ends before. */
  until: (text: string) => Promise<void>;
  /** How the other side ended it. */
  ended: Promise<"closed" | "reset">;
  write: (bytes: string | Buffer) => void;
}>;

/** Watches a socket. */
export function watch(socket: net.Socket): Wire {
  let text = "";
  let isReset = false;
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((waiter) => waiter());
  socket.setEncoding("latin1").setNoDelay(true);
  socket.on("data", (chunk: string) => {
    text += chunk;
    look();
  });
  socket.on("error", () => (isReset = true));
  const ended = new Promise<"closed" | "reset">((resolve) => {
    socket.on("close", () => {
      resolve(isReset ? "reset" : "closed");
      look();
    });
  });
  return { socket, received: () => text, until, ended, write: (bytes) => void socket.write(bytes) };

  function until(wanted: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = () => {
        if (text.includes(wanted)) resolve();
        else if (socket.closed)
          reject(
            new Error(`The connection ended before ${JSON.stringify(wanted)} came, with ${JSON.stringify(text)}.`),
          );
        else return;
        waiting.delete(waiter);
      };
      waiting.add(waiter);
      waiter();
    });
  }
}

/** Connects as a client. */
export function dial(port: number): Wire {
  return watch(net.connect({ port, host: "127.0.0.1" }));
}

/** An upstream whose every move a test makes by hand. */
export type ManualUpstream = Readonly<{
  port: number;
  /** The next connection, in their order. */
  next: () => Promise<Wire>;
  count: () => number;
  /** What came in on each of its connections. */
  allReceived: () => string[];
  /** Waits until all of its connections have ended. */
  allEnded: () => Promise<unknown>;
  /** Listens no more, and keeps its port from others until it is closed. */
  refuse: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Starts an upstream that does nothing by itself, unless it is told what to do with each connection. */
export async function startManualUpstream(serveOne?: (wire: Wire, index: number) => void): Promise<ManualUpstream> {
  const wires: Wire[] = [];
  const waiting: ((wire: Wire) => void)[] = [];
  let taken = 0;
  const server = net.createServer({ allowHalfOpen: false }, (socket) => {
    const wire = watch(socket);
    wires.push(wire);
    serveOne?.(wire, wires.length - 1);
    waiting.shift()?.(wire);
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  const { refuse, letGo } = keepPort(port, close);
  return {
    port,
    next() {
      const wire = wires[taken];
      taken += 1;
      return wire === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(wire);
    },
    count: () => wires.length,
    allReceived: () => wires.map(({ received }) => received()),
    // One that is not read from would never notice.
    allEnded() {
      wires.forEach(({ socket }) => socket.resume());
      return Promise.all(wires.map(({ ended }) => ended));
    },
    refuse,
    async close() {
      await letGo();
      await close();
    },
  };

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      wires.forEach(({ socket }) => socket.destroy());
    });
  }
}
