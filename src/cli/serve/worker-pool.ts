import type { Address, Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import { forkWorker, killWorkers, type WorkerEnd } from "./fork-worker.ts";
import { createCountForWorkers } from "./count-for-workers.ts";
import { createAskAllWorkers } from "./ask-all-workers.ts";
import { createLogEnd } from "./log-worker-ends.ts";
import type { CountQuestion } from "./primary-store.ts";
import type { WorkerReport } from "./run-worker.ts";
import type { ServiceLogger } from "./start-server.ts";
import { createWorkerRoster, type WorkerRoster } from "./worker-roster.ts";
import { exitCodes } from "../exit-codes.ts";

/** Some processes that do the same. */
export type WorkerPool = Readonly<{
  /** Keeps them running until they are stopped; resolves to the exit code. */
  run: () => Promise<number>;
  /** Puts another configuration into force, see {@link WorkerRoster}. */
  replace: WorkerRoster["replace"];
  noteRefusal: WorkerRoster["noteRefusal"];
  stop: (delay: number) => void;
}>;

type PoolParts = Readonly<{
  count: number;
  /** The configuration that workers start with until another one is in force. */
  text: string;
  /** Called once, when all of them listen. */
  listens: (address: Address) => void;
  /** Seconds that running requests have to end. */
  grace: number;
  logger: ServiceLogger;
  /** Tells people on stderr what went wrong. */
  complain: (text: string) => void;
}>;

const shortestPause = 100;
const longestPause = 10_000;
// A worker says farewell to its clients and lets its log be read, for three seconds at most.
const farewellMilliseconds = 5_000;

/** Makes a pool whose workers are started anew when they die. */
export function createWorkerPool({ count, text, listens, grace, logger, complain }: PoolParts): WorkerPool {
  const stopping = new AbortController();
  const roster = createWorkerRoster(text);
  // Places, not workers: a worker that is started anew takes the place of the one before.
  const listening = new Set<number>();
  const logEnd = createLogEnd(logger);
  const hearing = { logger, roster, tellOnce: createTellOnce(complain), attend: attendWorkers() };
  const isStopping = (): boolean => stopping.signal.aborted;
  let exitCode: number = exitCodes.fine;
  return { run, replace: roster.replace, noteRefusal: roster.noteRefusal, stop };

  function run(): Promise<number> {
    return Promise.all(Array.from({ length: count }, (_, place) => keepOneRunning(place))).then(() => exitCode);
  }

  /** One after the other in one place; one that dies young is followed by a longer pause. */
  async function keepOneRunning(place: number): Promise<void> {
    for (let pause = shortestPause; !isStopping(); pause = Math.min(pause * 2, longestPause)) {
      const begin = performance.now();
      const end = await runOnce(hearing, (address) => noteListening(place, address));
      if (isStopping()) return;
      // One that is killed may start at its next try.
      if (end.signal === null && listening.size < count && !listening.has(place)) {
        giveUp(end);
        return;
      }
      pause = performance.now() - begin > longestPause ? shortestPause : pause;
      logEnd(end, pause);
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** One that cannot even start the first time is no accident; it has reported what keeps it, if it began. */
  function giveUp({ code, error }: WorkerEnd): void {
    if (error !== undefined) logger.error({ err: error }, "A worker could not be started.");
    exitCode = code ?? exitCodes.problems;
    stop(0);
  }

  function noteListening(place: number, address: Address): void {
    if (listening.has(place)) return;
    listening.add(place);
    if (listening.size < count) return;
    roster.keepPort(address.port);
    listens(address);
  }

  function stop(delay: number): void {
    if (isStopping()) endAtOnce();
    stopping.abort();
    roster.stop(delay);
    killLater(delay + grace);
  }
}

type Hearing = Readonly<{
  logger: ServiceLogger;
  roster: WorkerRoster;
  tellOnce: (told: string) => void;
  attend: (worker: Worker) => void;
}>;

/** Makes the function that does for a worker what only the primary can: counts, and hands on what others are asked. */
function attendWorkers(): (worker: Worker) => void {
  const countFor = createCountForWorkers();
  const handOnFor = createAskAllWorkers();
  return function attend(worker) {
    countFor(worker);
    handOnFor(worker);
  };
}

function runOnce(hearing: Hearing, listens: (address: Address) => void): Promise<WorkerEnd> {
  const { logger, roster, tellOnce, attend } = hearing;
  return forkWorker(logger, function begun(worker) {
    listenOnce(worker, "listening", listens);
    attend(worker);
    // What is said to a worker before it can hear is lost.
    listen(worker, "message", (message: CountQuestion | WorkerReport) => {
      if (!("report" in message)) return;
      if (message.report === "ready") roster.begin(worker);
      else if (message.report === "failed") tellOnce(message.told);
    });
  });
}

/** What keeps one worker from starting keeps the others, and their successors. */
function createTellOnce(complain: (text: string) => void): (told: string) => void {
  let last: string | undefined;
  return function tellOnce(told) {
    if (told !== last) complain(`${told}\n`);
    last = told;
  };
}

/** Kills the workers that do not end in time: a worker that is suspended, or busy for ever, hears no order. */
function killLater(seconds: number): void {
  after(seconds * 1_000 + farewellMilliseconds, killWorkers).unref();
}

/** A second signal asks for an end at once. */
function endAtOnce(): never {
  killWorkers();
  process.exit(exitCodes.problems);
}
