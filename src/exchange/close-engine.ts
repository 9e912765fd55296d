import { attempt } from "../unattended/attempt.ts";
import { after } from "../unattended/guarded.ts";
import type { Logger } from "../logging/logger.ts";
import type { Engine } from "../forwarding/engines/engine.ts";

/** Closes an engine over which nothing runs any more: one that fails, or never says that it has closed, is not waited for. */
export async function closeEngine(engine: Engine, milliseconds: number, logger: Logger): Promise<void> {
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
