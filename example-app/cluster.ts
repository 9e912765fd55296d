/** The gateway on several cores: a process for each, before the services that `npm start` has started. */
import cluster from "node:cluster";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { availableParallelism } from "node:os";
import { createGateway, upgradeThrough } from "../src/index.ts";
import { undiciEngine } from "../src/undici.ts";
import { readPorts } from "./ports.ts";
import { readConfig } from "./read-config.ts";

const port = Number(process.env.CLUSTER_PORT ?? "8088");

if (cluster.isPrimary) supervise(Number(process.env.WORKERS ?? availableParallelism()));
else await work();

/** Forks the workers, and puts another in the place of one that died. */
function supervise(workers: number): void {
  // Connections that the primary hands over are lost with a worker that has no room for them, or dies just then.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let isStopping = false;
  for (let worker = 0; worker < workers; worker += 1) cluster.fork();
  cluster.on("exit", () => {
    if (!isStopping) cluster.fork();
  });
  cluster.on("listening", (worker, address) => {
    console.log(`Worker ${worker.id} (process ${worker.process.pid}) listens at http://localhost:${address.port}`);
  });
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);

  function stop(): void {
    isStopping = true;
    // Where the signal has reached all, a worker may be gone already.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send("stop", () => undefined);
  }
}

/** Serves the gateway on a plain server, where it costs least; the system shares the connections among the workers. */
async function work(): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  // The primary tells each worker; a signal may also reach all of the group, or a worker alone.
  process.once("message", () => stopping.resolve()).on("SIGTERM", () => stopping.resolve());
  // Ctrl+C reaches every process of the terminal: the workers leave it to the primary.
  process.on("SIGINT", () => undefined);
  const gateway = createGateway(await readConfig(readPorts(process.env)), { engine: undiciEngine() });
  const server = createServer(answer).on("upgrade", upgradeThrough(gateway));
  server.listen(port, "127.0.0.1");
  await stopping.promise;
  cluster.worker?.disconnect();
  server.closeIdleConnections();
  await gateway.close({ grace: 2 });
  server.closeAllConnections();

  function answer(req: IncomingMessage, res: ServerResponse): void {
    res.setHeader("X-Worker", String(cluster.worker?.id));
    gateway(req, res);
  }
}
