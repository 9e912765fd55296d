import { RequestError } from "../../errors.ts";
import { hasScope } from "../../identity/scopes.ts";
import { defineCapability } from "../capability.ts";
import { requirementOf } from "../../identity/required-schemes.ts";

/** Lets in who has one of the scopes that a route asks for. */
export const scopes = defineCapability("scopes", {
  compile(config, _shared, { global }) {
    const { scopes: allowed = [] } = requirementOf(config, global) ?? {};
    if (allowed.length === 0) return undefined;
    return {
      guard: function demandScope({ identity, refuseOtherMethod }) {
        // A preflight has shown nothing, and its method is held to until it is sent.
        const passes = identity === undefined ? refuseOtherMethod !== undefined : hasScope(identity, allowed);
        if (passes) return undefined;
        return new RequestError("scope-missing", "Who is asking has none of the scopes that the route asks for.");
      },
    };
  },
});
