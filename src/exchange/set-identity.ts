import type { RecognisedIdentity } from "../identity/identity.ts";
import { isSameCredential } from "../identity/same-identity.ts";
import type { MatchedExchange } from "./matched-exchange.ts";

/** Notes who is asking, and shows it to the user's middleware. */
export function setIdentity(exchange: MatchedExchange, identity: RecognisedIdentity): void {
  exchange.identity = identity;
  noteFound(exchange, identity);
  const { res } = exchange.context;
  (res as unknown as { locals: { identity?: RecognisedIdentity } }).locals.identity = identity;
}

/** Notes for all parts of an aggregate whom a scheme or the middleware of one has found. */
export function noteFound({ foundByParts }: MatchedExchange, identity: unknown): void {
  // A part that is asked for many values finds the same for each.
  if (foundByParts?.some((found) => isSameCredential(found, identity)) === false) foundByParts.push(identity);
}
