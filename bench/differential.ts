// node bench/differential.ts --cases 3000 --seed 6 --engine undici
import { parseArgs } from "node:util";
import fc from "fast-check";
import { arbitraryRequestBytes } from "../__tests__/fuzz/arbitrary-bytes.ts";
import { createHttpProxyMiddlewareEngine } from "../src/forwarding/engines/http-proxy-middleware.ts";
import { undiciEngine } from "../src/undici.ts";
import { compareCounts } from "./differential/count-requests.ts";
import { isInstalled, upstreamParsers } from "./differential/upstream-parsers.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "3000" },
    seed: { type: "string", default: "6" },
    engine: { type: "string", default: "http-proxy-middleware" },
  },
});
const cases = fc.sample(arbitraryRequestBytes, { seed: Number(values.seed), numRuns: Number(values.cases) });
const createEngine = values.engine === "undici" ? undiciEngine : createHttpProxyMiddlewareEngine;

console.log(`differential: ${values.cases} cases, seed ${values.seed}, engine ${values.engine}`);
await Promise.all(
  upstreamParsers.map(async (parser) => {
    if (!isInstalled(parser)) {
      console.log(`${parser.name}: not installed`);
      return;
    }
    const { requests, disagreements } = await compareCounts(parser, cases, createEngine);
    console.log(`${parser.name}: ${requests} requests, ${disagreements.length} disagreements`);
    for (const { what, bytes } of disagreements.slice(0, 10)) console.log(`  ${what}: ${JSON.stringify(bytes)}`);
    if (disagreements.length > 0) process.exitCode = 1;
  }),
);
