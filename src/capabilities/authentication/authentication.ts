import { GatewayError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { setIdentity } from "../../exchange/set-identity.ts";
import { passesAsPreflight } from "../../identity/preflight.ts";
import { ownerOf } from "../../route-name.ts";
import { createShowIdentity, type ShowIdentity } from "../../identity/pseudonym.ts";
import { defineCapability, type Guard } from "../capability.ts";
import { lookUpName } from "../look-up-name.ts";
import type { Authenticator } from "./authenticator.ts";
import { createSchemes, type SchemesByName } from "./create-schemes.ts";
import { createKeyChanges, type KeyChanges } from "./scheme-key-changes.ts";
import { createFailureLog, type FailureLog } from "./log-failing-scheme-seldom.ts";
import { originOfSchemes } from "./missing-schemes.ts";
import { createAskSchemes, type Finding, nobodyRecognised } from "./ask-schemes.ts";
import { requirementOf, schemesOf } from "../../identity/required-schemes.ts";
import { credentialHeadersOf, refuseRequestIdHeader } from "./scheme-rules/request-id-headers.ts";
import { createSocketLock } from "./websocket-origin-and-expiry.ts";
import { createWithholding, type Withholding } from "./withhold-credentials.ts";

/** What the routes of a configuration share: its schemes by name. */
type Schemes = SchemesByName &
  Readonly<{
    keys: KeyChanges;
    failures: FailureLog;
    withholding: Withholding | undefined;
    show: ShowIdentity;
    credentialHeaders: ReadonlySet<string>;
  }>;

/** Lets clients in whom one of a route's schemes recognises, and keeps their credentials from travelling on. */
export const authentication = defineCapability<Schemes>("authentication", {
  prepare({ global, options, logger, changed }, earlier) {
    const keys = earlier?.keys ?? createKeyChanges(changed);
    const schemes = createSchemes(global, options.authentication, { earlier, keys });
    // Also where every route has its own: somebody relies on what stands for all routes.
    for (const name of schemesOf(global.AuthenticationOptions ?? {})) lookUpScheme(schemes.byName, name, "all routes");
    const failures = earlier?.failures ?? createFailureLog(logger);
    const withholding = createWithholding(schemes.byName);
    const credentialHeaders = credentialHeadersOf(Object.values(schemes.byName).map(({ reads = {} }) => reads));
    const show = createShowIdentity(global.IdentityKey);
    return { ...schemes, keys, failures, withholding, show, credentialHeaders };
  },
  settle({ renewals, keys, byName }) {
    keys.settle(Object.values(byName));
    for (const putIntoForce of renewals) putIntoForce();
  },
  compile(config, { byName, failures, withholding, show, credentialHeaders }, { global, options }) {
    refuseRequestIdHeader(config.RequestIdKey ?? global.RequestIdKey, credentialHeaders);
    const requirement = requirementOf(config, global);
    if (requirement === undefined) return withholding?.onOpenRoute(config);
    const schemes = requirement.schemes.map((name) => ({
      name,
      authenticate: lookUpScheme(byName, name, ownerOf(config)),
    }));
    const askSchemes = createAskSchemes(schemes, failures);
    const lockSocket = createSocketLock(config.AllowedOrigins ?? global.AllowedOrigins ?? options.allowedOrigins);

    const authenticate: Guard = function authenticate(exchange) {
      const { req } = exchange.context;
      if (passesAsPreflight(req, exchange.framing, config)) {
        exchange.refuseOtherMethod = () => nobodyRecognised(schemes, exchange);
        return undefined;
      }
      const found = askSchemes(exchange);
      return found instanceof Promise ? found.then((who) => admit(exchange, who)) : admit(exchange, found);
    };

    function admit(exchange: MatchedExchange, who: Finding): ReturnType<Guard> {
      if (who instanceof GatewayError) return who;
      if (typeof who === "function") return who();
      const refusal = exchange.upgrade && lockSocket(exchange, who, byName[who.scheme]!);
      if (refusal !== undefined) return refusal;
      exchange.observation?.recognised(show(who));
      setIdentity(exchange, who);
      return undefined;
    }
    return { guard: authenticate, ...withholding?.onLockedRoute(config) };
  },
});

function lookUpScheme(byName: Schemes["byName"], name: string, owner: string): Authenticator {
  const source = '"AuthenticationSchemes", with the option authentication of createGateway(),';
  return lookUpName(byName, name, originOfSchemes(owner, source));
}
