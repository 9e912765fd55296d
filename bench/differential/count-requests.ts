import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { createGateway, type Engine, type Gateway, parseConfig } from "../../src/index.ts";
import { createHttpProxyMiddlewareEngine } from "../../src/forwarding/engines/http-proxy-middleware.ts";
import { type CountingRelay, type Disagreement, startCountingRelay } from "./counting-relay.ts";
import { startParser, type UpstreamParser } from "./upstream-parsers.ts";

/** How many requests one upstream saw, and where it saw others than were sent. */
export type Comparison = Readonly<{ requests: number; disagreements: readonly Disagreement[] }>;

const config = (port: number): unknown => ({
  Routes: ["/api/{x}", "/{x}"].map((UpstreamPathTemplate) => ({
    UpstreamPathTemplate,
    DownstreamPathTemplate: "/{x}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    Timeout: 10,
  })),
});

/** Sends every case through a gateway to one upstream, and compares how many requests each of the two counts. */
export async function compareCounts(
  parser: UpstreamParser,
  cases: readonly string[],
  createEngine: () => Engine = createHttpProxyMiddlewareEngine,
): Promise<Comparison> {
  const upstream = await startParser(parser);
  const relay = await startCountingRelay(upstream.port);
  const unanswered: Disagreement[] = [];
  const gateway = createGateway(parseConfig(config(relay.port), { logger: false }), {
    engine: createEngine(),
    logger: false,
  });
  const server = await listen(gateway);
  const { port } = server.address() as AddressInfo;
  for (const bytes of cases) {
    const received = await sendBytes(port, bytes, relay);
    // A whole request on which the upstream waits for more.
    if (received.includes('"answer-timeout"')) unanswered.push({ what: "no answer", bytes });
  }
  await gateway.close({ grace: 0 });
  server.close();
  server.closeAllConnections();
  relay.close();
  await upstream.stop();
  return { requests: relay.requests(), disagreements: [...relay.disagreements, ...unanswered] };
}

function listen(gateway: Gateway): Promise<http.Server> {
  return new Promise((resolve) => {
    const server: http.Server = http.createServer(gateway).listen(0, "127.0.0.1", () => resolve(server));
  });
}

const quietMilliseconds = 10;

/** Writes, and hangs up once nothing more comes and nothing is waited for. */
function sendBytes(port: number, bytes: string, relay: CountingRelay): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let isQuiet = false;
    const timer = setInterval(look, quietMilliseconds);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      isQuiet = false;
    });
    socket.on("close", () => {
      clearInterval(timer);
      resolve(received);
    });
    socket.write(bytes, "latin1");

    function look(): void {
      if (isQuiet && !relay.isWaiting()) socket.destroy();
      isQuiet = true;
    }
  });
}
