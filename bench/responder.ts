/**
 * What the metadata responder costs: `node bench/responder.ts [rounds]`, CPU time of the gateway's own process for each request.
 * Ends with exit code 1 when a ratio is over its bound.
 */
import { pinning, type RunningContender, startContender, startLoad, startTarget } from "./processes.ts";

const contenders = ["without-responder", "with-metadata-header", "with-metadata-responder"] as const;
type Name = (typeof contenders)[number];

type Comparison = Readonly<{ name: string; contender: Name; bytes: number; atMost: number }>;

const comparisons: readonly Comparison[] = [
  { name: "header alone, 1 KB", contender: "with-metadata-header", bytes: 1_024, atMost: 1.05 },
  { name: "wrapping 1 KB", contender: "with-metadata-responder", bytes: 1_024, atMost: 1.25 },
  { name: "wrapping 1 MB", contender: "with-metadata-responder", bytes: 1_048_576, atMost: 1.15 },
];
const engines = ["http-proxy-middleware", "undici"] as const;
const sizes = [1_024, 1_048_576];
const connections = 32;
const milliseconds = 250;
const rounds = Number(process.argv[2] ?? 41);

type Measured = Map<string, number[]>;

const target = await startTarget();
const load = await startLoad();

/** One run of one contender: microseconds of CPU for each request. */
async function measure({ port, usage }: RunningContender, bytes: number, time: number): Promise<number> {
  const before = await usage();
  const { requests } = await load.run({
    port,
    method: "GET",
    path: `/bytes/${bytes}`,
    bodyBytes: 0,
    connections: bytes > 100_000 ? connections / 4 : connections,
    milliseconds: time,
    status: 200,
  });
  const after = await usage();
  return (after.cpu - before.cpu) / requests;
}

/** All contenders in turns, so that what disturbs one round disturbs all of them. */
async function measureInTurns(engine: (typeof engines)[number]): Promise<Measured> {
  const measured: Measured = new Map();
  const running = await Promise.all(
    contenders.map(async (name) => ({
      name,
      process: await startContender(name, { upstreamPort: target.port, engine }),
    })),
  );
  for (const bytes of sizes) {
    for (const { process } of running) await measure(process, bytes, 2 * milliseconds);
    for (let round = 0; round < rounds; round += 1) {
      const order = running.map((_, index) => running[(index + round) % running.length]!);
      for (const { name, process } of order) {
        const key = `${name} ${bytes}`;
        measured.set(key, [...(measured.get(key) ?? []), await measure(process, bytes, milliseconds)]);
      }
    }
  }
  running.forEach(({ process }) => process.stop());
  return measured;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

let isOver = false;
console.log(`pinning: ${pinning}; medians of ${rounds} interleaved rounds; µs of CPU for each request\n`);
console.log("| engine | what | without | with | ratio | at most |\n|---|---|---|---|---|---|");
for (const engine of engines) {
  const measured = await measureInTurns(engine);
  for (const { name, contender, bytes, atMost } of comparisons) {
    const without = measured.get(`without-responder ${bytes}`)!;
    const withIt = measured.get(`${contender} ${bytes}`)!;
    // Round by round, because what disturbs one of the two has mostly disturbed the other.
    const ratio = median(withIt.map((time, round) => time / without[round]!));
    isOver ||= ratio > atMost;
    console.log(
      `| ${engine} | ${name} | ${median(without).toFixed(1)} | ${median(withIt).toFixed(1)} | ${ratio.toFixed(3)} | ${atMost} |`,
    );
  }
}
target.stop();
load.stop();
process.exitCode = isOver ? 1 : 0;
