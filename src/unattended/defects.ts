import { chooseLogger, type Logger } from "../logging/logger.ts";

let logger: Logger = chooseLogger(undefined);

/** Names the logger that hears of defects: that of the gateway made last, as nobody can tell whose a listener is. */
export function tellDefectsTo(chosen: Logger): void {
  logger = chosen;
}

/** Logs what must not happen and has nobody above it to hear of it; what was under way is cut, and everything else goes on. */
export function reportDefect(error: unknown): void {
  logger.error({ err: error }, "Something failed that must not fail: please report it. Other requests go on.");
}
