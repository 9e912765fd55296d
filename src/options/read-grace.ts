import { GatewayError } from "../errors.ts";
import { describeValue } from "./describe-value.ts";
import { toMilliseconds } from "../timer-milliseconds.ts";

/** How a gateway closes. */
export type CloseOptions = Readonly<{
  /** Seconds until what still runs is cut off; 10 by default, `Infinity` for as long as it takes. */
  grace?: number | undefined;
}>;

const defaultSeconds = 10;

/** The grace as milliseconds that a timer takes. */
export function readGrace(grace: unknown = defaultSeconds): number {
  if (typeof grace === "number" && grace >= 0) return toMilliseconds(grace);
  throw new GatewayError(
    "option-invalid",
    `Invalid option "grace" of gateway.close(): expected seconds, 0 or more, received ${describeValue(grace)}. ` +
      `Leave it out for ${defaultSeconds} seconds; Infinity waits for whatever runs.`,
  );
}
