import { authDepartures } from "./departures/auth.ts";
import { claimsDepartures } from "./departures/claims.ts";
import { configDepartures } from "./departures/config.ts";
import type { Departures } from "./departures/departure.ts";
import { handlersDepartures } from "./departures/handlers.ts";
import { headersDepartures } from "./departures/headers.ts";
import { ratelimitDepartures } from "./departures/ratelimit.ts";
import { securityDepartures } from "./departures/security.ts";

/** Where traces are answered otherwise on purpose, by the id of the trace. */
export const departures: Departures = {
  ...authDepartures,
  ...claimsDepartures,
  ...configDepartures,
  ...handlersDepartures,
  ...headersDepartures,
  ...ratelimitDepartures,
  ...securityDepartures,
};
