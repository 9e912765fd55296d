import net, { type AddressInfo } from "node:net";
import { readMessages } from "../../__tests__/conformance/read-messages.ts";

/** One connection on which the upstream has not seen what the gateway has sent. */
export type Disagreement = Readonly<{ what: string; bytes: string }>;

/** Stands between the gateway and an upstream, and compares requests with answers on each connection. */
export type CountingRelay = Readonly<{
  port: number;
  requests: () => number;
  /** Whether a request that is whole still waits for its answer. */
  isWaiting: () => boolean;
  disagreements: readonly Disagreement[];
  close: () => void;
}>;

type Exchange = { whole: number; begun: number; answered: number; rest: string; bytes: string };

const finalStatusLine = /HTTP\/1\.[01] [2-9]\d\d/g;

/** Starts a relay to a port. The upstreams' bodies never look like a status line. */
export function startCountingRelay(upstreamPort: number): Promise<CountingRelay> {
  const open = new Map<net.Socket, Exchange>();
  const disagreements: Disagreement[] = [];
  let requests = 0;
  const server = net.createServer({ noDelay: true }, relay);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        port,
        requests: () => requests,
        isWaiting: () => [...open.values()].some(({ whole, answered }) => whole > answered),
        disagreements,
        close: () => (server.close(), [...open.keys()].forEach((socket) => socket.destroy())),
      });
    });
  });

  function relay(near: net.Socket): void {
    const far = net.connect({ port: upstreamPort, host: "127.0.0.1", noDelay: true });
    const exchange: Exchange = { whole: 0, begun: 0, answered: 0, rest: "", bytes: "" };
    open.set(near, exchange);
    near.on("data", (bytes: Buffer) => readRequests(exchange, bytes));
    far.on("data", (bytes: Buffer) => readAnswers(exchange, bytes));
    near.pipe(far).pipe(near);
    near.on("error", () => far.destroy()).on("close", () => (open.delete(near), far.destroy()));
    far.on("error", () => near.destroy()).on("close", () => near.destroy());
  }

  function readRequests(exchange: Exchange, bytes: Buffer): void {
    const { messages, rest, isBroken } = readMessages(exchange.rest + bytes.toString("latin1"), () => "framed");
    requests += messages.length;
    exchange.bytes = bytes.toString("latin1");
    exchange.whole += messages.length;
    exchange.begun = exchange.whole + (rest === "" ? 0 : 1);
    exchange.rest = rest;
    if (isBroken) disagreements.push({ what: "not strictly HTTP", bytes: rest });
  }

  function readAnswers(exchange: Exchange, bytes: Buffer): void {
    exchange.answered += bytes.toString("latin1").match(finalStatusLine)?.length ?? 0;
    if (exchange.answered > exchange.begun) {
      disagreements.push({ what: `${exchange.begun} requests, ${exchange.answered} answers`, bytes: exchange.bytes });
    }
  }
}
