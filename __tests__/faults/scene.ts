import express from "express";
import {
  createGateway,
  type GatewayHandler,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { watchProcess } from "../helpers/watch-process.ts";
import { dial, type ManualUpstream, startManualUpstream, type Wire } from "./wire.ts";

/** What one test plays with. */
export type Scene = Readonly<{
  upstream: ManualUpstream;
  running: RunningGateway;
  client: () => Wire;
  /** Codes of what the gateway logged. */
  logged: readonly string[];
  /** Everything is let go: no exchange, no connection, no timer is left; fails where one is. */
  leave: () => Promise<void>;
}>;

/** What a scene is set up with. */
export type SceneOptions = Readonly<{
  gateway?: GatewayOptions;
  route?: object;
  global?: object;
  /** Of the route and of another one like it, whose key is `b`. */
  aggregates?: readonly object[];
  serveOne?: (wire: Wire, index: number) => void;
  /** Stands before the gateway in the Express app. */
  before?: readonly GatewayHandler[];
  /** Answer failures in the Express app. */
  failures?: readonly express.ErrorRequestHandler[];
  /** A host that refuses connections stands before the upstream. */
  isBehindRefusal?: true;
  /** A plain server instead of an Express app. */
  isPlain?: boolean;
}>;

/** Sets up an upstream, a gateway with short time limits, and clients. */
export async function setScene(engine: Engine, options: SceneOptions = {}): Promise<Scene> {
  const handlesBefore = countHandles();
  const disturbances = watchProcess();
  const upstream = await startManualUpstream(options.serveOne);
  const logged: string[] = [];
  const log = (fields: { code?: unknown; err?: unknown }) => {
    if ((fields.code ?? fields.err) !== undefined) logged.push(String(fields.code ?? fields.err));
  };
  const route = {
    DownstreamPathTemplate: "/{everything}",
    DownstreamHostAndPorts: [
      // Nobody listens there.
      ...(options.isBehindRefusal ? [{ Host: "127.0.0.1", Port: 1 }] : []),
      { Host: "127.0.0.1", Port: upstream.port },
    ],
    ...options.route,
  };
  const config = {
    Routes: [
      { UpstreamPathTemplate: "/{everything}", ...route },
      ...(options.aggregates === undefined ? [] : [{ ...route, Key: "b", UpstreamPathTemplate: "/b/{everything}" }]),
    ],
    Aggregates: options.aggregates ?? [],
    GlobalConfiguration: { ...options.global },
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), {
    engine,
    logger: { error: log, warn: log, info: log, debug: log },
    ...options.gateway,
  });
  const running = await serve(options.isPlain ? gateway : inExpress(gateway, options), gateway);
  const clients: Wire[] = [];
  return { upstream, running, client, logged, leave };

  function client(): Wire {
    const wire = dial(running.port);
    clients.push(wire);
    return wire;
  }

  async function leave(): Promise<void> {
    for (const { socket } of clients) socket.destroy();
    // Waits for every exchange: one that was forgotten would keep this from ever ending.
    await gateway.close({ grace: 3_600 });
    await upstream.allEnded();
    await running.close();
    await upstream.close();
    await backTo(handlesBefore);
    disturbances.stop();
    const seen = disturbances.take();
    if (seen.length > 0) throw new AggregateError(seen, `The process was disturbed: ${seen.map(String).join("; ")}`);
  }
}

/** Sockets, servers and timers that would keep a process alive. */
function countHandles(): number {
  return process.getActiveResourcesInfo().filter((kind) => /TCP|Timeout/.test(kind)).length;
}

const patience = 20_000;

async function backTo(count: number): Promise<void> {
  const deadline = Date.now() + patience;
  while (countHandles() > count) {
    if (Date.now() > deadline) throw new Error(`Left behind: ${process.getActiveResourcesInfo().join(", ")}`);
    await new Promise(setImmediate);
  }
}

function inExpress(
  gateway: ReturnType<typeof createGateway>,
  { before = [], failures = [] }: SceneOptions,
): express.Express {
  const app = express();
  app.disable("x-powered-by");
  for (const middleware of before) app.use(middleware as express.RequestHandler);
  app.use(gateway);
  for (const answerFailure of failures) app.use(answerFailure);
  app.use(problemDetails({ logger: false }));
  return app;
}

/** The bytes of a request. */
export function request(method: string, path: string, ...headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, "Host: gw.example", ...headers, "", ""].join("\r\n");
}

export const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Another client gets an answer: there is a place for it. */
export async function getsAnswer({ client, upstream }: Scene): Promise<void> {
  const { write, until } = client();
  write(request("GET", "/x"));
  const connection = await upstream.next();
  await connection.until("\r\n\r\n");
  connection.write(ok);
  await until("\r\n\r\nok");
}
