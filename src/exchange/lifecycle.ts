import { endOfOutlasting } from "../bodies/with-code/outlast-exchange.ts";
import { attempt } from "../unattended/attempt.ts";
import { after } from "../unattended/guarded.ts";
import type { Logger } from "../logging/logger.ts";
import { type CloseOptions, readGrace } from "../options/read-grace.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import { runAtOnce, runInSlices, type Steps } from "../time-slices.ts";
import { createRunningList, type Running, type RunningList } from "./running-list.ts";

/** What is under way in a gateway, and its end. */
export type Lifecycle = Pick<RunningList, "begin" | "end" | "count"> &
  Readonly<{
    isClosing: () => boolean;
    /** Cuts off the WebSockets of routes that are retired. */
    destroyRetired: () => Promise<void>;
    /** Calls the listener when closing begins. */
    onClose: (listener: () => void) => void;
    close: (options?: CloseOptions) => Promise<void>;
  }>;

// What was destroyed may still send its last bytes: a WebSocket closes with a frame.
const farewellMilliseconds = 2_000;

/** Keeps count of what runs, so that closing can wait for it; `endLast` is called when nothing runs any more. */
export function createLifecycle(engine: Engine, logger: Logger, endLast: () => void): Lifecycle {
  const { begin, end, count, all, retired, idleWithin } = createRunningList();
  const closeListeners: (() => void)[] = [];
  let closed: Promise<void> | undefined;

  return {
    begin,
    end,
    count,
    isClosing: () => closed !== undefined,
    destroyRetired: () => runInSlices(destroyEach(retired(), logger)),
    onClose: (listener) => void closeListeners.push(listener),
    close,
  };

  /** A wrong grace changes nothing: the caller gets an error, and can still close. */
  async function close({ grace }: CloseOptions = {}): Promise<void> {
    const milliseconds = readGrace(grace);
    await (closed ??= closeAll(milliseconds));
  }

  async function closeAll(grace: number): Promise<void> {
    const failure = "Something that was to end with the gateway failed; the gateway closes all the same.";
    for (const listener of closeListeners) attempt({ logger, failure }, listener);
    await idleWithin(grace);
    runAtOnce(destroyEach(all(), logger));
    await idleWithin(farewellMilliseconds);
    await endOfOutlasting(logger);
    await closeEngine(engine, farewellMilliseconds, logger);
    attempt({ logger, failure }, endLast);
  }
}

function* destroyEach(running: readonly Running[], logger: Logger): Steps<void> {
  for (const { destroy } of running) {
    yield;
    attempt({ logger, failure: "Something under way failed as it was cut off; the rest is cut off as well." }, destroy);
  }
}

/** Closes an engine over which nothing runs any more. One that fails, or never says that it has closed, is not waited for. */
async function closeEngine(engine: Engine, milliseconds: number, logger: Logger): Promise<void> {
  const failure = "The engine failed to close; the gateway closes all the same.";
  const closing = attempt({ logger, failure }, () => engine.close());
  await new Promise<void>((resolve) => {
    const timer = after(milliseconds, giveUp);
    Promise.resolve(closing).then(settle, settle);

    function settle(): void {
      clearTimeout(timer);
      resolve();
    }

    function giveUp(): void {
      logger.warn({ milliseconds }, "The engine has not closed in time, and is not waited for.");
      resolve();
    }
  });
}
