// npm run soak -- --engine undici --requests 500000 --connections 200 --seed 6
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type GatewayProcess, megabytes, type ProcessUsage, startGatewayProcess } from "./soak/gateway.ts";
import { createRandom, type Plan, planRequest, sendPlanned } from "./soak/requests.ts";
import { startSoakUpstream } from "./soak/upstream.ts";

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "http-proxy-middleware" },
    requests: { type: "string", default: "500000" },
    connections: { type: "string", default: "200" },
    seed: { type: "string", default: "6" },
  },
});
const total = Number(values.requests);
const quarters = 4;
// Kept connections of the upstream end by then.
const restMilliseconds = 3_000;

const upstream = await startSoakUpstream();
const gateway = await startGatewayProcess(upstream.port, values.engine);
const random = createRandom(Number(values.seed));
const outcomes = new Map<string, number>();
const usages: ProcessUsage[] = [];

console.log(
  `soak: ${total} requests at ${values.connections} connections, engine ${values.engine}, seed ${values.seed}`,
);
// What a process opens once for having worked at all is not what is left behind.
await sendMany(Number(values.connections), warmUp);
await wait(restMilliseconds);
outcomes.clear();
await report("start", gateway);
const started = performance.now();
for (let quarter = 1; quarter <= quarters; quarter += 1) {
  await sendMany(total / quarters, planRequest);
  await wait(restMilliseconds);
  await report(`quarter ${quarter}`, gateway);
}
console.log(`took ${((performance.now() - started) / 1_000).toFixed(0)} s`);
for (const [outcome, count] of outcomes) console.log(`${count} ${outcome}`);
process.exitCode = printVerdict() ? 0 : 1;
gateway.stop();
upstream.close();

async function sendMany(count: number, plan: typeof planRequest): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  let left = count;
  await Promise.all(Array.from({ length: Number(values.connections) }, work));
  agent.destroy();

  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const outcome = await sendPlanned(plan(random), gateway.port, agent);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  }
}

function warmUp(random: () => number): Plan {
  return { kind: random() < 0.5 ? "up" : "down", size: 100_000, abortAfter: undefined };
}

async function report(name: string, { usage }: GatewayProcess): Promise<void> {
  const measured = await usage();
  usages.push(measured);
  const { rss, heap, handles, sockets } = measured;
  console.log(
    `${name}: resident ${megabytes(rss)}, heap ${megabytes(heap)}, handles ${handles.join(" ")}, sockets ${sockets}`,
  );
}

function printVerdict(): boolean {
  const [start, , second, , last] = usages as [ProcessUsage, ProcessUsage, ProcessUsage, ProcessUsage, ProcessUsage];
  const verdicts = [
    [
      "no request failed that should have succeeded",
      [...outcomes.keys()].every((outcome) => !outcome.startsWith("failed")),
    ],
    ["memory after the last quarter is within 5 % of that after the second", last.rss <= second.rss * 1.05],
    ["the heap after the last quarter is within 5 % of that after the second", last.heap <= second.heap * 1.05],
    [
      "handles and sockets are back to the start",
      last.handles.length <= start.handles.length && last.sockets <= start.sockets,
    ],
    ["no warning, unhandled rejection or uncaught exception", last.disturbances.length === 0],
  ] as const;
  for (const [promise, isKept] of verdicts) console.log(`${isKept ? "kept  " : "BROKEN"} ${promise}`);
  if (last.disturbances.length > 0) console.log(last.disturbances.slice(0, 5).join("\n"));
  return verdicts.every(([, isKept]) => isKept);
}
