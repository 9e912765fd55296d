import type { IncomingMessage } from "node:http";
import type { CapabilitySurroundings, RoutePart } from "../capabilities/capability.ts";
import { carrierOf } from "../capabilities/authentication/schemes/places-of-scheme.ts";
import { placesIn } from "../capabilities/authentication/schemes/tokens/carriage.ts";
import { createWithholding, type Withholding } from "../capabilities/authentication/withhold-credentials.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
import { onlyLineOf } from "../headers/header-sent-once.ts";
import { requirementOf } from "../identity/required-schemes.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { MatchedTarget } from "../forwarding/resolve-path.ts";
import type { ExplainedForward } from "./explanation.ts";

type Asked = Readonly<{ req: IncomingMessage; isPreflight: boolean }>;
type Given = Pick<GatewayOptions, "authentication">;

/** What keeps the credentials of one request from travelling on. */
export type RequestWithholding = Readonly<{
  changeTarget: (target: MatchedTarget) => MatchedTarget;
  changeForwarded: (forwarded: ExplainedForward) => ExplainedForward;
}>;

/** Prepares what keeps credentials from travelling on, by the gateway's own rule; no scheme is made for that. */
export function withholdingOf(
  { AuthenticationSchemes: configured = {} }: Pick<GlobalConfig, "AuthenticationSchemes">,
  { authentication: given = {} }: Given,
): Withholding | undefined {
  const carriers = Object.entries(configured).map(([name, scheme]) => [name, carrierOf(scheme)] as const);
  return createWithholding({ ...Object.fromEntries(carriers), ...given });
}

/** Prepares what a route withholds from the requests of clients that were let in. */
export function explainWithholding(
  config: RouteConfig,
  withholding: Withholding | undefined,
  { global, options }: Pick<CapabilitySurroundings, "global"> & Readonly<{ options: Given }>,
): (asked: Asked) => RequestWithholding {
  const requirement = requirementOf(config, global);
  const part: RoutePart | undefined =
    requirement === undefined ? withholding?.onOpenRoute(config) : withholding?.onLockedRoute(config);

  return function withholdFrom({ req, isPreflight }) {
    const exchange = {
      ...{ context: { req, route: { config } }, peerIsTrusted: false },
      identity: isPreflight ? undefined : recognise(requirement?.schemes ?? [], req),
    } as unknown as MatchedExchange;
    return {
      changeTarget: (target) => part?.changeTarget?.(target, exchange) ?? target,
      changeForwarded(forwarded) {
        const outgoing = { headers: { ...forwarded.headers } };
        part?.changeRequest?.(outgoing as Parameters<NonNullable<RoutePart["changeRequest"]>>[0], exchange);
        return { ...forwarded, headers: outgoing.headers };
      },
    };
  };

  /** The first scheme that is shown a token is taken for the one that has let the client in. */
  function recognise(schemes: readonly string[], req: IncomingMessage): unknown {
    const shown = schemes.map((scheme) => ({ scheme, id: "", claims: {}, token: findToken(scheme, req) }));
    return shown.find(({ token }) => token !== undefined) ?? shown[0];
  }

  /** Of a scheme in code nobody knows how it reads its headers: the last word is the token. */
  function findToken(scheme: string, req: IncomingMessage): string | undefined {
    const { authentication: given = {} } = options;
    const { AuthenticationSchemes: configured = {} } = global;
    if (Object.hasOwn(given, scheme)) {
      const lines = given[scheme]!.reads?.headers?.map((name) => onlyLineOf(req, name.toLowerCase()));
      return lines
        ?.find((line) => line !== undefined)
        ?.split(" ")
        .at(-1);
    }
    if (!Object.hasOwn(configured, scheme) || configured[scheme]!.Type === "ApiKey") return undefined;
    const found = placesIn(configured[scheme]!.From).map(({ find }) => find(req));
    return found.find((token) => token !== undefined);
  }
}
