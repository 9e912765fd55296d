import type { RecognisedIdentity } from "../identity/identity.ts";
import type { MatchedExchange } from "./matched-exchange.ts";

/** Notes who is asking, and shows it to the user's middleware. */
export function setIdentity(exchange: MatchedExchange, identity: RecognisedIdentity): void {
  exchange.identity = identity;
  exchange.foundByParts?.push(identity);
  const { res } = exchange.context;
  (res as unknown as { locals: { identity?: RecognisedIdentity } }).locals.identity = identity;
}
