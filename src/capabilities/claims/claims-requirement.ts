import { type GatewayError, RequestError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { parseUpstreamTemplate } from "../../templates/upstream-template.ts";
import { defineCapability } from "../capability.ts";
import { createFindRepeated } from "./repeated-parameter.ts";
import { fulfils, parseRequirement, placeholdersOf } from "./required-values.ts";

/** Lets in whose claims are what the route asks for; asked once more where middleware has changed what was compared. */
export const claimsRequirement = defineCapability("claims-requirement", {
  compile({ RouteClaimsRequirement, UpstreamPathTemplate, UpstreamHeaderTemplates }) {
    const required = parseRequirement(RouteClaimsRequirement);
    if (required.length === 0) return undefined;
    const template = parseUpstreamTemplate(UpstreamPathTemplate, UpstreamHeaderTemplates);
    const read = placeholdersOf(required);
    const findRepeated = createFindRepeated(template, read);
    if (read.length === 0) return { guard: demandClaims };
    return { guard: demandClaims, judgesCalls: true, changeTarget: demandAgain };

    function demandClaims(exchange: MatchedExchange): GatewayError | undefined {
      const { identity, refuseOtherMethod, matched } = exchange;
      if (identity === undefined && refuseOtherMethod !== undefined) return undefined;
      return findRepeated(matched.query) ?? (satisfies(exchange, matched) ? undefined : refused());
    }

    function demandAgain(target: MatchedTarget, exchange: MatchedExchange): MatchedTarget {
      const { captured, current } = target.values;
      const hasChanged = read.some((name) => current[name] !== captured[name]);
      if (hasChanged && exchange.identity !== undefined && !satisfies(exchange, target)) throw refused();
      return target;
    }

    function satisfies({ identity }: MatchedExchange, { values }: MatchedTarget): boolean {
      if (identity === undefined) return false;
      return required.every((one) => fulfils(identity.claims, one, { values, template }));
    }
  },
});

function refused(): GatewayError {
  return new RequestError("claim-refused", "The claims of who is asking are not those that the route asks for.");
}
