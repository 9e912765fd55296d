import type { Engine } from "./proxy/engine.ts";

/** Something under way that can be cut off. */
export type Running = Readonly<{ destroy: () => void }>;

/** What is under way in a gateway, and its end. */
export type Lifecycle = Readonly<{
  isClosing: () => boolean;
  begin: (running: Running) => void;
  end: (running: Running) => void;
  close: (options?: Readonly<{ grace?: number }>) => Promise<void>;
}>;

const defaultGraceSeconds = 10;
const longestTimer = 2_147_483_647;
// What was destroyed may still have a word to say: a WebSocket closes with a frame.
const farewellMilliseconds = 2_000;

/** Keeps count of what runs, so that closing can wait for it. */
export function createLifecycle(engine: Engine): Lifecycle {
  const running = new Set<Running>();
  let closed: Promise<void> | undefined;
  let whenIdle: (() => void) | undefined;

  return {
    isClosing: () => closed !== undefined,
    begin: (exchange) => running.add(exchange),
    end(exchange) {
      running.delete(exchange);
      if (running.size === 0) whenIdle?.();
    },
    close: ({ grace = defaultGraceSeconds } = {}) => (closed ??= closeAll(grace)),
  };

  async function closeAll(grace: number): Promise<void> {
    await idleWithin(Math.min(grace * 1_000, longestTimer));
    for (const exchange of running) exchange.destroy();
    await idleWithin(farewellMilliseconds);
    await engine.close();
  }

  function idleWithin(milliseconds: number): Promise<void> {
    if (running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
