/**
 * How long a gateway takes to start, and what it holds: `node bench/startup.ts`. Each measurement has a fresh process.
 * Ends with exit code 1 when 10,000 routes take longer, or more memory over one route, than they may.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createGateway, parseConfig } from "../src/index.ts";
import { createConfig } from "./gateway-config.ts";
import { median } from "./statistics.ts";

type Measured = Readonly<{ seconds: number; megabytes: number }>;

const counts = [1, 1_000, 10_000];
const rounds = 5;
const most = { seconds: 0.7, megabytes: 60 };

const [count] = process.argv.slice(2);
if (count === undefined) report();
else console.log(JSON.stringify(measure(Number(count))));

function measure(routes: number): Measured {
  const text = JSON.stringify(createConfig(routes, 9_000));
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  const start = performance.now();
  const gateway = createGateway(parseConfig(text));
  const seconds = (performance.now() - start) / 1_000;
  // An ordinary collection keeps the pages of V8's young generation, empty as they are.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  const megabytes = process.memoryUsage.rss() / 1_048_576;
  if (gateway.routes.size < routes) throw new Error("Some routes are missing.");
  return { seconds, megabytes };
}

function report(): void {
  const rows = counts.map((routes) => ({ routes, ...medianOf(routes) }));
  const one = rows[0]!;
  const last = rows.at(-1)!;
  for (const { routes, seconds, megabytes } of rows) {
    const over = (megabytes - one.megabytes).toFixed(0);
    console.log(`${String(routes).padStart(6)} routes: ${seconds.toFixed(3)} s, ${over} MB over one route`);
  }
  const isWithin = last.seconds <= most.seconds && last.megabytes - one.megabytes <= most.megabytes;
  console.log(
    `${isWithin ? "ok" : "TOO MUCH"}: at most ${most.seconds} s and ${most.megabytes} MB for ${last.routes} routes.`,
  );
  process.exitCode = isWithin ? 0 : 1;
}

function medianOf(routes: number): Measured {
  const measured = Array.from({ length: rounds }, () => measureInFreshProcess(routes));
  return {
    seconds: median(measured.map(({ seconds }) => seconds)),
    megabytes: median(measured.map(({ megabytes }) => megabytes)),
  };
}

function measureInFreshProcess(routes: number): Measured {
  const file = fileURLToPath(import.meta.url);
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  return JSON.parse(execFileSync(process.execPath, [...flags, file, String(routes)], { encoding: "utf8" })) as Measured;
}
