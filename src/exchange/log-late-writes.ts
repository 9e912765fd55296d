import type { ServerResponse } from "node:http";
import type { Logger } from "../logging/logger.ts";
import { listen } from "../unattended/guarded.ts";

/**
 * Logs what other code writes into an answer that has ended and is still on its way: a client that reads slowly gives
 * middleware that is late the time for it, and without a listener that would end the process.
 */
export function heedLateWrites(res: ServerResponse, route: string, logger: Logger): void {
  listen(res, "error", (error: Error) => {
    logger.warn({ route, err: error }, "Other code wrote into an answer that had ended; nothing of it was sent.");
  });
}
