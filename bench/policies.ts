/**
 * What policies cost: `npm run bench -- policies [--rounds 81] [--only "a remembered token"]`, CPU time of the gateway's own
 * process for each request, undici engine, plain server, in pairs with a gateway that does less. Ends with exit code 1
 * unless every ratio is shown to be within its bound, and 10,000 routes start as fast as they may.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measurePairs, type Pair, summarisePairs } from "./pairs.ts";
import { measuredPath } from "./policies/gateways.ts";
import { startRedis } from "./policies/redis.ts";
import { prepareTokens, type TokenFiles } from "./policies/tokens.ts";
import { pinning, type RunningContender, startContender, startLoad, startTarget } from "./processes.ts";

/** Two gateways, by names in `policies/gateways.ts`, and what the clients of both show. */
type Comparison = Readonly<{
  name: string;
  without: string;
  withIt: string;
  /** Which tokens clients show; they show none where that is left out. */
  shown?: keyof Pick<TokenFiles, "one" | "many">;
  atMost: number;
  /** Whether the second gateway counts in Redis. */
  inRedis?: true;
}>;

// What is no difference at all stands out from the noise of so many rounds by two in a hundred.
const noise = 1.02;

const comparisons: readonly Comparison[] = [
  {
    name: "nothing, beside a route that asks for all",
    without: "nothing",
    withIt: "policies of another route",
    shown: "one",
    atMost: noise,
  },
  { name: "a remembered token", without: "nothing", withIt: "token", shown: "one", atMost: 1.1 },
  { name: "a token of its own each time", without: "nothing", withIt: "token", shown: "many", atMost: 1.6 },
  {
    name: "transforms, claims and addresses, over a remembered token",
    without: "token",
    withIt: "everything",
    shown: "one",
    atMost: 1.06,
  },
  {
    name: "limit, breaker and balancer of three hosts",
    without: "nothing",
    withIt: "limit, breaker and balancer",
    atMost: 1.06,
  },
  { name: "a cached answer", without: "nothing", withIt: "cache", atMost: 0.55 },
  { name: "limit in Redis", without: "nothing", withIt: "limit in Redis", atMost: 1.6, inRedis: true },
];

/** The same code is compiled otherwise in each process, which alone makes up to 3 %. */
const processes = 8;
const milliseconds = 250;
/** Requests before, as code that V8 has not compiled yet costs a multiple; and in each round, however long they take. */
const warmUp = 20_000;
const leastInRound = 1_000;
const connections = 50;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "81" }, only: { type: "string" } } });
const roundsEach = Math.ceil(Number(values.rounds) / processes);

const tokens = prepareTokens();
const target = await startTarget(3);
const redis = await startRedis();
const load = await startLoad();

async function compare({ without, withIt, shown, inRedis }: Comparison): Promise<Pair[]> {
  const started = [];
  for (const policies of [without, withIt]) {
    const keyFile = shown === undefined ? "" : tokens.key;
    const counts = inRedis && policies === withIt ? { redis: redis!.url } : {};
    const { port: upstreamPort, morePorts } = target;
    const settings = { upstreamPort, morePorts, keyFile, policies, ...counts };
    started.push(await startContender("with-policies", settings));
  }
  for (const contender of started) await measure(contender, shown, warmUp);
  const two = { without: started[0]!, withIt: started[1]! };
  const pairs = await measurePairs(two, roundsEach, (contender) => measure(contender, shown, leastInRound));
  for (const { stop } of started) stop();
  return pairs;
}

/** One run of one contender: microseconds of CPU for each request. */
async function measure(contender: RunningContender, shown: Comparison["shown"], atLeast: number): Promise<number> {
  const before = await contender.usage();
  const { requests } = await load.run({
    port: contender.port,
    method: "GET",
    path: measuredPath,
    bodyBytes: 0,
    connections,
    milliseconds,
    atLeast,
    status: 200,
    ...(shown === undefined ? {} : { tokenFile: tokens[shown] }),
  });
  const after = await contender.usage();
  return (after.cpu - before.cpu) / requests;
}

/** What an interval says of a bound. */
function judge({ low, high }: Readonly<{ low: number; high: number }>, atMost: number): string {
  if (high <= atMost) return "within";
  return low > atMost ? "TOO MUCH" : "not shown: more rounds";
}

console.log(`pinning: ${pinning}; medians of ${roundsEach * processes} paired rounds; µs of CPU for each request\n`);
console.log("| what | without | with | ratio | 95 % between | at most | |\n|---|---|---|---|---|---|---|");
for (const comparison of comparisons.filter(({ name }) => values.only === undefined || name === values.only)) {
  if (comparison.inRedis && redis === undefined) {
    console.log(`| ${comparison.name} | no redis-server was found; install one | | | | | skipped |`);
    continue;
  }
  const pairs: Pair[] = [];
  for (let count = 0; count < processes; count += 1) pairs.push(...(await compare(comparison)));
  const found = summarisePairs(pairs);
  const verdict = judge(found, comparison.atMost);
  const cells = [
    comparison.name,
    found.without.toFixed(1),
    found.withIt.toFixed(1),
    found.ratio.toFixed(3),
    `${found.low.toFixed(3)}–${found.high.toFixed(3)}`,
    comparison.atMost,
    verdict,
  ];
  console.log(`| ${cells.join(" | ")} |`);
  if (verdict !== "within") process.exitCode = 1;
}
target.stop();
redis?.stop();
load.stop();
tokens.remove();

if (values.only === undefined) {
  const startup = fileURLToPath(new URL("startup.ts", import.meta.url));
  console.log("\nStart-up of routes that ask for nothing:");
  if (spawnSync(process.execPath, [startup], { stdio: "inherit" }).status !== 0) process.exitCode = 1;
}
