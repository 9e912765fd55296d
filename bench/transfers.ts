// node bench/transfers.ts --engine undici --gigabytes 5
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { engineNames } from "../__tests__/everything-on/create-gateway.ts";
import { startGatewayProcess } from "../__tests__/everything-on/start-process.ts";
import { sendRequest } from "./soak/send-request.ts";
import { startSoakUpstream } from "./soak/upstream.ts";

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "http-proxy-middleware" },
    gigabytes: { type: "string", default: "5" },
  },
});
const size = Number(values.gigabytes) * 1_000_000_000;
const mostGrowth = 50_000_000;
const lookEvery = 500;

const upstream = await startSoakUpstream();
const engine = engineNames.find((name) => name === values.engine)!;
const gateway = await startGatewayProcess({ engine, responder: "header", upstreamPort: upstream.port });
const port = gateway.ports.plain;
const agent = new http.Agent({ keepAlive: true });

console.log(`transfers: ${values.gigabytes} GB each way, engine ${values.engine}`);
// What a process takes once for having worked at all is not what a large body costs.
for (const kind of ["up", "down"] as const) await send(kind, 500_000_000);
for (const kind of ["up", "down"] as const) await transfer(kind);
await readSlowly();
await gateway.stop();
upstream.close();
agent.destroy();

function send(kind: "up" | "down", size: number): ReturnType<typeof sendRequest> {
  return sendRequest({ kind, number: 0, place: 0, size, abortAfter: undefined }, port, agent);
}

async function resident(): Promise<number> {
  const { rss } = await gateway.ask("holdings");
  return rss;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

async function transfer(kind: "up" | "down"): Promise<void> {
  const before = await resident();
  const started = performance.now();
  let most = before;
  const done = send(kind, size);
  while ((await Promise.race([done, wait(lookEvery, "under way")])) === "under way") {
    most = Math.max(most, await resident());
  }
  const seconds = (performance.now() - started) / 1_000;
  judge(
    `${kind}: ${await done}, ${(size / seconds / 1e9).toFixed(2)} GB/s, resident ${megabytes(before)} at first, ${megabytes(most)} at most`,
    most - before < mostGrowth,
  );
}

/** A client that reads nothing must hold the upstream back: the gateway keeps no body for it. */
async function readSlowly(): Promise<void> {
  const before = await resident();
  const req = http.get({ host: "127.0.0.1", port, path: `/big/down/${size}`, agent: false });
  const res = await new Promise<http.IncomingMessage>((resolve) => req.once("response", resolve));
  res.on("error", () => undefined);
  await wait(3_000);
  const after = await resident();
  judge(
    `a client that reads nothing for 3 s: resident ${megabytes(before)} before, ${megabytes(after)} after`,
    after - before < mostGrowth,
  );
  req.destroy();
}

function judge(text: string, isKept: boolean): void {
  console.log(`${isKept ? "kept  " : "BROKEN"} ${text}`);
  if (!isKept) process.exitCode = 1;
}
