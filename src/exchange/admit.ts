import type { PartSurroundings, PresentTerms } from "./admit-part.ts";
import { admitParts } from "./admit-parts.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";
import { runGuards } from "./run-guards.ts";
import { withholdHeaders } from "./withhold-headers.ts";

/** Lets a request in to its destinations: past the locks of its route, and through the user's middleware. */
type Admit = (exchange: Exchange, destinations: Destinations, terms: PresentTerms) => void;

/** Prepares how requests are let in; to an aggregate part by part. */
export function createAdmit(surroundings: PartSurroundings): Admit {
  const { runMiddleware } = surroundings;
  // Of the terms no more is handed on: the rest is all of a configuration, and a request may go on for long.
  return function admit(exchange, destinations, { concurrent, claimHeaders }) {
    const { aggregate, pipeline } = exchange.compiled;
    if (aggregate !== undefined) {
      admitParts(exchange, destinations, { ...surroundings, concurrent, claimHeaders });
      return;
    }
    const pass = (): void => runMiddleware(withholdHeaders(exchange, claimHeaders), destinations);
    runGuards(pipeline.guards, exchange, { pass, fail: destinations.fail });
  };
}
