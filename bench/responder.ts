/**
 * What the metadata responder costs: `node bench/responder.ts [times as many rounds]`, CPU time of the gateway's own process
 * for each request. Ends with exit code 1 when a ratio is over its bound.
 */
import { measurePairs, type Pair, summarisePairs } from "./pairs.ts";
import { pinning, type RunningContender, startContender, startLoad, startTarget } from "./processes.ts";

const engines = ["http-proxy-middleware", "undici"] as const;

/** What is compared with the same gateway without a responder. */
type Comparison = Readonly<{
  name: string;
  contender: string;
  bytes: number;
  connections: number;
  rounds: number;
  atMost: number;
}>;

const small = { bytes: 1_024, connections: 32, rounds: 27 };
/** The time for a large body varies by a third from one round to the next, as V8 collects garbage in few of them: it needs more rounds. */
const large = { bytes: 1_048_576, connections: 8, rounds: 41 };

const comparisons: readonly Comparison[] = [
  { name: "header alone, 1 KB", contender: "with-metadata-header", ...small, atMost: 1.05 },
  { name: "wrapping 1 KB", contender: "with-metadata-responder", ...small, atMost: 1.25 },
  { name: "wrapping 1 MB", contender: "with-metadata-responder", ...large, atMost: 1.15 },
];

/** The same code is compiled otherwise in each process, which alone makes up to 3 %. */
const processes = 3;
const milliseconds = 250;
const warmUp = 1_000;
const timesAsMany = Number(process.argv[2] ?? 1);

const target = await startTarget();
const load = await startLoad();

/** In processes of their own. */
async function compare(engine: (typeof engines)[number], comparison: Comparison): Promise<Pair[]> {
  const settings = { upstreamPort: target.port, engine };
  const without = await startContender("without-responder", settings);
  const withIt = await startContender(comparison.contender, settings);
  for (const contender of [without, withIt]) await measure(contender, comparison, warmUp);
  const pairs = await measurePairs({ without, withIt }, comparison.rounds * timesAsMany, (contender) =>
    measure(contender, comparison, milliseconds),
  );
  without.stop();
  withIt.stop();
  return pairs;
}

/** One run of one contender: microseconds of CPU for each request. */
async function measure(contender: RunningContender, comparison: Comparison, time: number): Promise<number> {
  const { bytes, connections } = comparison;
  const before = await contender.usage();
  const { requests } = await load.run({
    port: contender.port,
    method: "GET",
    path: `/bytes/${bytes}`,
    bodyBytes: 0,
    connections,
    milliseconds: time,
    status: 200,
  });
  const after = await contender.usage();
  return (after.cpu - before.cpu) / requests;
}

console.log(`pinning: ${pinning}; medians of interleaved rounds; µs of CPU for each request\n`);
console.log("| engine | what | without | with | ratio | 95 % between | at most |\n|---|---|---|---|---|---|---|");
for (const engine of engines) {
  for (const comparison of comparisons) {
    const pairs: Pair[] = [];
    for (let count = 0; count < processes; count += 1) pairs.push(...(await compare(engine, comparison)));
    const { without, withIt, ratio, low, high } = summarisePairs(pairs);
    const cells = [
      engine,
      comparison.name,
      without.toFixed(1),
      withIt.toFixed(1),
      ratio.toFixed(3),
      `${low.toFixed(2)}–${high.toFixed(2)}`,
      comparison.atMost,
    ];
    console.log(`| ${cells.join(" | ")} |`);
    if (ratio > comparison.atMost) process.exitCode = 1;
  }
}
target.stop();
load.stop();
