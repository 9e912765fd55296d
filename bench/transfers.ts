// node bench/transfers.ts --engine undici --gigabytes 5
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { megabytes, startGatewayProcess } from "./soak/gateway.ts";
import { sendPlanned } from "./soak/requests.ts";
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
const gateway = await startGatewayProcess(upstream.port, values.engine);
const agent = new http.Agent({ keepAlive: true });

console.log(`transfers: ${values.gigabytes} GB each way, engine ${values.engine}`);
// What a process takes once for having worked at all is not what a large body costs.
for (const kind of ["up", "down"] as const)
  await sendPlanned({ kind, size: 500_000_000, abortAfter: undefined }, gateway.port, agent);
for (const kind of ["up", "down"] as const) await transfer(kind);
await readSlowly();
gateway.stop();
upstream.close();
agent.destroy();

async function transfer(kind: "up" | "down"): Promise<void> {
  const before = (await gateway.usage()).rss;
  const started = performance.now();
  let most = before;
  const done = sendPlanned({ kind, size, abortAfter: undefined }, gateway.port, agent);
  while ((await Promise.race([done, wait(lookEvery, "under way")])) === "under way") {
    most = Math.max(most, (await gateway.usage()).rss);
  }
  const seconds = (performance.now() - started) / 1_000;
  judge(
    `${kind}: ${await done}, ${(size / seconds / 1e9).toFixed(2)} GB/s, resident ${megabytes(before)} at first, ${megabytes(most)} at most`,
    most - before < mostGrowth,
  );
}

/** A client that reads nothing must hold the upstream back: the gateway keeps no body for it. */
async function readSlowly(): Promise<void> {
  const before = (await gateway.usage()).rss;
  const req = http.get({ host: "127.0.0.1", port: gateway.port, path: `/down/${size}`, agent: false });
  const res = await new Promise<http.IncomingMessage>((resolve) => req.once("response", resolve));
  res.on("error", () => undefined);
  await wait(3_000);
  const after = (await gateway.usage()).rss;
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
