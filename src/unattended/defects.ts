import { chooseLogger, type Logger } from "../logging/logger.ts";

let logger: Logger = chooseLogger(undefined);

/** Names the logger that hears of defects: that of the gateway made last, as a listener does not tell whose it is. */
export function tellDefectsTo(chosen: Logger): void {
  logger = chosen;
}

/**
 * Logs a failure that must not happen and that no code above would catch; what was under way is cut, and everything
 * else goes on.
 */
export function reportDefect(error: unknown): void {
  logger.error({ err: error }, "Something failed that must not fail: please report it. Other requests go on.");
}
