import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { splitQuery } from "../../urls/client-query.ts";
import type { RoutePart } from "../capability.ts";
import type { Authenticator } from "./authenticator.ts";

/** What keeps credentials from travelling on, by whether a route is locked. */
export type Withholding = Readonly<{ onOpenRoutes: RoutePart; onLockedRoutes: RoutePart }>;

type Part = Required<Pick<RoutePart, "changeTarget" | "changeRequest">>;

/**
 * Keys, and tokens in cookies and queries, never travel. What a scheme forwards travels from open routes, where nobody
 * has looked at it, and from locked ones where it was verified.
 */
export function createWithholding(schemes: readonly Authenticator[]): Withholding | undefined {
  if (schemes.length === 0) return undefined;
  const places = schemes.map(({ reads = {}, forwards = false }) => ({ ...reads, forwards }));
  const cookies = new Set(places.flatMap((place) => place.cookies ?? []));
  const parameters = new Set(places.flatMap((place) => place.query ?? []));
  const headersOf = (forwards: boolean): ReadonlySet<string> =>
    new Set(
      places.filter((place) => place.forwards === forwards).flatMap(({ headers = [] }) => headers.map(lowerCase)),
    );
  const never = headersOf(false);
  const verified = headersOf(true);
  const onLockedRoutes = partOf((exchange) => new Set([...never, ...withoutVerified(verified, exchange)]));
  return { onOpenRoutes: partOf(() => never), onLockedRoutes };

  function partOf(namesFor: (exchange: MatchedExchange) => ReadonlySet<string>): Part {
    return {
      changeTarget: (target) => withoutParameters(target, parameters),
      changeRequest({ headers }, exchange) {
        for (const name of namesFor(exchange)) Reflect.deleteProperty(headers, name);
        if (cookies.size > 0) dropCookies(headers, cookies);
      },
    };
  }
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}

/** The headers that hold something else than the credential by which the client was recognised. */
function withoutVerified(names: ReadonlySet<string>, { identity, context }: MatchedExchange): readonly string[] {
  const token = identity?.token;
  return [...names].filter((name) => {
    const value = context.req.headers[name];
    return token === undefined || typeof value !== "string" || !value.endsWith(token);
  });
}

function withoutParameters(target: MatchedTarget, names: ReadonlySet<string>): MatchedTarget {
  if (names.size === 0 || target.query === undefined) return target;
  const kept = splitQuery(target.query).filter(({ name }) => !names.has(name));
  return { ...target, query: kept.length === 0 ? undefined : kept.map(({ raw }) => raw).join("&") };
}

function dropCookies(headers: OutgoingRequest["headers"], names: ReadonlySet<string>): void {
  const { cookie } = headers;
  if (cookie === undefined) return;
  const kept = String(cookie)
    .split(";")
    .filter((pair) => !names.has(pair.slice(0, Math.max(0, pair.indexOf("="))).trim()));
  if (kept.length === 0) delete headers.cookie;
  else headers.cookie = kept.join(";").trim();
}
