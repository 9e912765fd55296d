import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { splitQuery } from "../../urls/client-query.ts";
import type { RoutePart } from "../capability.ts";
import type { Authenticator } from "./authenticator.ts";

/** What keeps credentials from travelling on, by whether a route is locked. */
export type Withholding = Readonly<{ onOpenRoutes: RoutePart; onLockedRoutes: RoutePart }>;

type Part = Required<Pick<RoutePart, "changeTarget" | "changeRequest">>;

/** Where the schemes of a configuration read credentials; names of headers in lower case. */
type Places = Readonly<{
  headers: readonly string[];
  /** Of the headers, those that a scheme reads which does not let them travel. */
  kept: readonly string[];
  cookies: ReadonlySet<string>;
  parameters: ReadonlySet<string>;
}>;

/**
 * Keys, and tokens in cookies and queries, never travel. What a scheme forwards travels from open routes, where nobody
 * has looked at it, and from locked ones where it was verified.
 */
export function createWithholding(schemes: Readonly<Record<string, Authenticator>>): Withholding | undefined {
  if (Object.keys(schemes).length === 0) return undefined;
  const places = placesOf(Object.values(schemes));
  const { headers, kept, cookies, parameters } = places;
  const changeTarget: Part["changeTarget"] = (target) => withoutParameters(target, parameters);
  return {
    onOpenRoutes: {
      changeTarget,
      changeRequest(outgoing) {
        for (const name of kept) Reflect.deleteProperty(outgoing.headers, name);
        dropCookies(outgoing.headers, cookies);
      },
    },
    onLockedRoutes: {
      changeTarget,
      changeRequest(outgoing, { identity }) {
        const token =
          identity !== undefined && schemes[identity.scheme]?.forwards === true ? identity.token : undefined;
        for (const name of headers) {
          if (!isCredential(outgoing.headers[name], token)) Reflect.deleteProperty(outgoing.headers, name);
        }
        dropCookies(outgoing.headers, cookies);
      },
    },
  };
}

function placesOf(schemes: readonly Authenticator[]): Places {
  const reads = schemes.map((scheme) => scheme.reads ?? {});
  const keeping = schemes.filter(({ forwards = false }) => !forwards);
  return {
    headers: headersOf(schemes),
    kept: headersOf(keeping),
    cookies: new Set(reads.flatMap(({ cookies = [] }) => cookies)),
    parameters: new Set(reads.flatMap(({ query = [] }) => query)),
  };
}

function headersOf(schemes: readonly Authenticator[]): readonly string[] {
  const names = schemes.flatMap(({ reads: { headers = [] } = {} }) => headers);
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** Whether a header holds the credential by which the client was recognised, and that may travel. */
function isCredential(value: unknown, token = ""): boolean {
  return token !== "" && typeof value === "string" && value.endsWith(token);
}

function withoutParameters(target: MatchedTarget, names: ReadonlySet<string>): MatchedTarget {
  if (names.size === 0 || target.query === undefined) return target;
  const kept = splitQuery(target.query).filter(({ name }) => !names.has(name));
  return { ...target, query: kept.length === 0 ? undefined : kept.map(({ raw }) => raw).join("&") };
}

function dropCookies(headers: OutgoingRequest["headers"], names: ReadonlySet<string>): void {
  const { cookie } = headers;
  if (names.size === 0 || cookie === undefined) return;
  const kept = String(cookie)
    .split(";")
    .filter((pair) => !names.has(pair.slice(0, Math.max(0, pair.indexOf("="))).trim()));
  if (kept.length === 0) delete headers.cookie;
  else headers.cookie = kept.join(";").trim();
}
