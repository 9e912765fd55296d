import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { startGatewaySubject } from "./gateway-subject.ts";
import { createLedger, killDuringLoad, type Ledger, sendMany } from "./load.ts";
import { planRequest, planWarmUp } from "./plan-request.ts";
import { judgeSoak, type Seen, type Verdict } from "./promises.ts";
import { createRandom } from "./random.ts";
import { startServeSubject } from "./serve-subject.ts";
import { type Held, settleMilliseconds, type Subject } from "./subject.ts";
import { summarize } from "./summarize.ts";
import { startSoakUpstream } from "./upstream.ts";

/** What a soak is asked to do. */
export type SoakSettings = Readonly<{
  engine: "http-proxy-middleware" | "undici";
  requests: number;
  connections: number;
  seed: number;
  /** Whether `waymark serve` runs with two workers, instead of the package in three apps. */
  serve?: boolean;
  /** Milliseconds between two reloads. */
  reloadEvery: number;
  /** Seconds that an upstream may take; on a machine with other work even a willing one needs some. */
  timeout: number;
  print: (line: string) => void;
}>;

const quarters = 4;
/** Each worker and app answers several times. */
const proofs = 8;
const pause = 100;

/** Which promises were kept, and all figures in one line. */
export type SoakResult = Readonly<{ verdicts: readonly Verdict[]; summary: string }>;

/** Loads a gateway with everything on, and reloads it meanwhile. */
export async function runSoak(settings: SoakSettings): Promise<SoakResult> {
  const { engine, requests, connections, print, timeout } = settings;
  const numbers = requests + connections;
  const upstream = await startSoakUpstream();
  const start = settings.serve ? startServeSubject : startGatewaySubject;
  const subject = await start({ engine, upstreamPort: upstream.port, timeout, numbers });
  const ledger = createLedger(numbers);
  const load = { subject, ledger, random: createRandom(settings.seed), connections };
  const held: Held[] = [];

  // What a process opens once for having worked at all is not what is left behind.
  await sendMany(connections, { ...load, plan: planWarmUp });
  await subject.reload();
  await rest("start");
  const begun = performance.now();
  const { version, stop } = reloadMeanwhile(subject, settings.reloadEvery);
  for (let quarter = 1; quarter <= quarters; quarter += 1) {
    const count = Math.ceil(requests / quarters);
    const isKilling = quarter === 2 && subject.killOne !== undefined;
    const killing = isKilling ? killDuringLoad(subject, ledger, ledger.next.number + count / 2) : undefined;
    await sendMany(count, { ...load, plan: planRequest });
    await killing;
    await rest(`quarter ${quarter}`);
  }
  await stop();
  const isReloaded = await isInForce(subject, version());
  await rest("end");
  const seconds = (performance.now() - begun) / 1_000;
  const linesOf = await subject.linesOf();
  await subject.stop();
  upstream.close();
  const seen: Seen = {
    ...{ ledger, held, linesOf, isReloaded },
    wasKilled: subject.killOne !== undefined,
    disturbances: [...subject.disturbances, ...upstream.violations],
  };
  const verdicts = judgeSoak(seen);
  return { verdicts, summary: summarize(seen, { ...settings, verdicts, seconds, reloads: version() }) };

  /** Kept connections end, so that what is held can be compared. */
  async function rest(name: string): Promise<void> {
    await subject.settle();
    const deadline = performance.now() + settleMilliseconds;
    let now = await holdAtRest();
    while (isMore(now, held[0]) && performance.now() < deadline) {
      await wait(pause);
      now = await holdAtRest();
    }
    held.push(now);
    print(`${name}: ${describe(now, ledger)}`);
  }

  function holdAtRest(): Promise<Held> {
    upstream.rest();
    return subject.hold();
  }
}

/** At first no socket may be open; later, nothing may be more than it was. */
function isMore({ counts }: Held, base: Held | undefined): boolean {
  const mostOf = (name: string): number => base?.counts[name] ?? ((base ?? name.startsWith("socket")) ? 0 : Infinity);
  return Object.entries(counts).some(([name, count]) => count > mostOf(name));
}

function describe({ memory, counts }: Held, { next }: Ledger): string {
  const megabytes = Object.entries(memory).map(([name, bytes]) => `${name} ${(bytes / 1_000_000).toFixed(1)} MB`);
  const open = Object.entries(counts).filter(([name]) => !name.includes(":"));
  return [`${next.number} asked`, ...megabytes, ...open.map(([name, count]) => `${name} ${count}`)].join(", ");
}

function reloadMeanwhile(subject: Subject, every: number): { version: () => number; stop: () => Promise<void> } {
  const stopping = new AbortController();
  let version = 0;
  const reloading = reloadAgain();
  return { version: () => version, stop: () => (stopping.abort(), reloading) };

  async function reloadAgain(): Promise<void> {
    do {
      version = await subject.reload();
      await wait(every, undefined, { signal: stopping.signal }).catch(() => undefined);
    } while (!stopping.signal.aborted);
  }
}

/** The configuration of each version has a route of its own. */
async function isInForce({ ports }: Subject, version: number): Promise<boolean> {
  const deadline = performance.now() + settleMilliseconds;
  while (performance.now() < deadline) {
    const asked = ports.flatMap((port) => Array.from({ length: proofs }, () => statusOf(port, `/only-${version}`)));
    if ((await Promise.all(asked)).every((status) => status === 200)) return true;
    await wait(pause);
  }
  return false;
}

/** Undefined where nothing answers. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const req = http.get({ host: "127.0.0.1", port, path, agent: false }, (res) => {
      res.resume().on("close", () => resolve(res.statusCode));
    });
    req.setTimeout(settleMilliseconds, () => req.destroy());
    req.on("error", () => resolve(undefined));
  });
}
