import type { GatewayError } from "../../errors.ts";
import { RequestError } from "../../errors.ts";
import { setIdentity } from "../../exchange/set-identity.ts";
import type { RecognisedIdentity } from "../../identity/identity.ts";
import { defineCapability } from "../capability.ts";
import { type NamedExpression, parseExpressions, readForRequest } from "./claim-for-request.ts";
import { tellClaims } from "./tell-claims.ts";

/** Makes claims from others; later ones see earlier ones, and so do scopes and requirements. */
export const addedClaims = defineCapability("added-claims", {
  tells: tellClaims,
  compile({ AddClaimsToRequest }) {
    const expressions = parseExpressions(AddClaimsToRequest);
    if (expressions.length === 0) return undefined;
    return {
      guard: function addClaims(exchange): GatewayError | undefined {
        const { identity } = exchange;
        // Only a preflight has none.
        if (identity === undefined) return undefined;
        try {
          setIdentity(exchange, expressions.reduce(withClaim, identity));
          return undefined;
        } catch (error) {
          if (error instanceof RequestError) return error;
          throw error;
        }
      },
    };
  },
});

function withClaim(identity: RecognisedIdentity, named: NamedExpression): RecognisedIdentity {
  const added = [named.name, readForRequest(identity, named)] as const;
  // A name may be any, `__proto__` included: assigning it would not make a claim of it.
  const claims = Object.freeze(Object.fromEntries([...Object.entries(identity.claims), added]));
  return Object.freeze({ ...identity, claims });
}
