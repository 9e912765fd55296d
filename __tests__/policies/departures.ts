import { aggregatesDepartures } from "./departures/aggregates.ts";
import { authDepartures } from "./departures/auth.ts";
import { balanceDepartures } from "./departures/balance.ts";
import { cacheDepartures } from "./departures/cache.ts";
import { claimsDepartures } from "./departures/claims.ts";
import { configDepartures } from "./departures/config.ts";
import type { Departures } from "./departures/departure.ts";
import { discoveryDepartures } from "./departures/discovery.ts";
import { dynamicDepartures } from "./departures/dynamic.ts";
import { filesDepartures } from "./departures/files.ts";
import { handlersDepartures } from "./departures/handlers.ts";
import { httpDepartures } from "./departures/http.ts";
import { headersDepartures } from "./departures/headers.ts";
import { qosDepartures } from "./departures/qos.ts";
import { ratelimitDepartures } from "./departures/ratelimit.ts";
import { securityDepartures } from "./departures/security.ts";

/** Where traces are answered otherwise on purpose, by the id of the trace. */
export const departures: Departures = {
  ...aggregatesDepartures,
  ...authDepartures,
  ...balanceDepartures,
  ...cacheDepartures,
  ...claimsDepartures,
  ...configDepartures,
  ...discoveryDepartures,
  ...dynamicDepartures,
  ...filesDepartures,
  ...handlersDepartures,
  ...headersDepartures,
  ...httpDepartures,
  ...qosDepartures,
  ...ratelimitDepartures,
  ...securityDepartures,
};
