import type { RecognisedIdentity } from "../identity/identity.ts";
import type { MatchedExchange } from "./matched-exchange.ts";

/** Notes who is asking, and shows it to the user's middleware. */
export function setIdentity(exchange: MatchedExchange, identity: RecognisedIdentity): void {
  exchange.identity = identity;
  Object.assign((exchange.context.res as unknown as { locals: object }).locals, { identity });
}
