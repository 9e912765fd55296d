import type { RouteConfig } from "../../config/sections.ts";
import type { Headers } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { createIsClients } from "../../headers/set-by-client-or-here.ts";
import { isPlainlyAmong, plainName } from "../../headers/header-aliases.ts";
import { tellsAddress } from "../../headers/headers-services-go-by.ts";
import { type NotesOfShortened, shorten } from "../../headers/shortened-headers.ts";
import { rememberPerText } from "../../remember-per-text.ts";
import type { RoutePart } from "../capability.ts";
import type { Authenticator } from "./authenticator.ts";
import { answerBearer, dropProtocols } from "./bearer-protocol.ts";
import { cleanPreflight } from "./clean-preflight.ts";
import { type CredentialPlaces, joinPlaces } from "./credential-places.ts";
import { createDropCookies } from "./drop-cookies.ts";
import { createWithholdFromTarget, withoutMethodParameters } from "./withhold-from-target.ts";
import { createWithoutInAddress } from "./without-parameters.ts";

/** Of schemes by their names, where they read credentials, and whether these travel on. */
export type Carriers = Readonly<Record<string, Pick<Authenticator, "reads" | "forwards">>>;

/** What keeps credentials from travelling on, by whether a route is locked. */
export type Withholding = Readonly<{
  /** Undefined where all that schemes read travels on from such a route. */
  onOpenRoute: (config: RouteConfig) => RoutePart | undefined;
  onLockedRoute: (config: RouteConfig) => RoutePart;
}>;

/**
 * Keys, and tokens in cookies, queries and subprotocols, never travel. What a scheme forwards travels from open routes,
 * where nobody has looked at it, and from locked ones where it was verified. What somebody here has set travels always.
 */
export function createWithholding(schemes: Carriers): Withholding | undefined {
  const all = Object.values(schemes);
  if (all.length === 0) return undefined;
  const places = joinPlaces(all.map(({ reads = {} }) => reads));
  const kept = joinPlaces(all.flatMap(({ reads = {}, forwards }) => (forwards === true ? [] : [reads])));
  const dropOpen = createDropHeaders(kept);
  const dropLocked = createDropHeaders(places);
  const dropOthers = createDropOthers(places);
  const forwarded = forwardedHeaders(schemes);
  const changeAnswer = places.subprotocol === true ? { changeAnswer: answerBearer } : {};
  const onOpenRoutes: RoutePart | undefined = staysBehind({ ...places, headers: kept.headers ?? [] })
    ? {
        ...changeAnswer,
        changeRequest({ headers }, exchange) {
          dropOpen(headers, exchange.context.req, () => false);
          dropOthers(headers, exchange);
        },
      }
    : undefined;
  const onLockedRoutes: RoutePart = {
    ...changeAnswer,
    changeTarget: cleanTarget,
    changeRequest({ headers }, exchange) {
      const { context, identity } = exchange;
      // Only a preflight has none.
      if (identity === undefined) cleanPreflight(headers, exchange);
      const verified = identity === undefined ? undefined : forwarded.get(identity.scheme);
      dropLocked(
        headers,
        context.req,
        (name) => verified?.has(name) === true && holdsToken(headers[name], identity?.token),
      );
      dropOthers(headers, exchange);
    },
  };
  return {
    onOpenRoute: (config) => withTarget(onOpenRoutes, config, places),
    onLockedRoute: (config) => withTarget(onLockedRoutes, config, places),
  };
}

/** Whether anything of some places is a header, or may stand in one. */
function staysBehind({ headers = [], cookies = [], query = [], subprotocol = false }: CredentialPlaces): boolean {
  return headers.length > 0 || cookies.length > 0 || query.length > 0 || subprotocol;
}

/** Only a preflight has no identity on a locked route. */
function cleanTarget(target: MatchedTarget, { identity, context }: MatchedExchange): MatchedTarget {
  return identity === undefined ? withoutMethodParameters(target, context.route.config) : target;
}

/** Most routes have nothing in their target that schemes read, and share one part, if any. */
function withTarget<Part extends RoutePart | undefined>(
  part: Part,
  config: RouteConfig,
  places: CredentialPlaces,
): Part | RoutePart {
  const withhold = createWithholdFromTarget(config, places);
  if (withhold === undefined) return part;
  const clean = part?.changeTarget;
  return { ...part, changeTarget: clean ? (target, exchange) => clean(withhold(target), exchange) : withhold };
}

/** The headers, by the names of schemes, in which a verified credential travels on. */
function forwardedHeaders(schemes: Carriers): ReadonlyMap<string, ReadonlySet<string>> {
  const forwarding = Object.entries(schemes).filter(([, { forwards }]) => forwards === true);
  return new Map(
    forwarding.map(([name, { reads }]) => [name, new Set(reads?.headers?.map((header) => header.toLowerCase()))]),
  );
}

const oneWordBefore = /^(?:[\w-]+ +)?$/;

/** Whether a header is the token by which the client was recognised, alone or behind one word: anything more is unverified. */
function holdsToken(value: unknown, token = ""): boolean {
  if (token === "" || typeof value !== "string") return false;
  const start = value.length - token.length;
  // Comparing a slice takes an eighth of what endsWith() takes.
  return start >= 0 && value.slice(start) === token && oneWordBefore.test(value.slice(0, start));
}

type DropHeaders = (
  headers: Headers,
  request: MatchedExchange["context"]["req"],
  mayTravel: (name: string) => boolean,
) => void;

/** Drops headers of the client that an upstream may take for those that schemes read, however their names are spelt. */
function createDropHeaders({ headers: names = [] }: CredentialPlaces): DropHeaders {
  const plainNames = new Set(names.map(plainName));
  return function dropHeaders(headers, { rawHeaders }, mayTravel) {
    let isClients: ReturnType<typeof createIsClients> | undefined;
    for (const name in headers) {
      if (!isPlainlyAmong(name, plainNames) || mayTravel(name)) continue;
      // The dearest question: it looks through all that came from the wire.
      isClients ??= createIsClients({ headers, rawHeaders });
      if (isClients(name)) Reflect.deleteProperty(headers, name);
    }
  };
}

/** Drops something from the headers of a request, and notes what is left of which. */
type DropFrom = (headers: Headers, request: NotesOfShortened) => void;

/** Drops what schemes read in cookies, in queries and among the protocols of WebSockets. */
function createDropOthers({ cookies = [], query = [], subprotocol = false }: CredentialPlaces): DropFrom {
  const dropCookies = createDropCookies(cookies);
  const dropParameters = createDropParameters(query);
  return function dropOthers(headers, request) {
    if (query.length > 0) dropParameters(headers, request);
    if (cookies.length > 0 && headers.cookie !== undefined) dropCookies(headers, request);
    if (subprotocol) dropProtocols(headers, request);
  };
}

/** Browsers tell the address of the page, and proxies what they were asked, with all parameters. */
function createDropParameters(names: readonly string[]): DropFrom {
  const withoutInAddress = createWithoutInAddress(names);
  return function dropParameters(headers, request) {
    for (const name in headers) {
      const value = headers[name]!;
      if (!isAddress(name) || !String(value).includes("=")) continue;
      const rest = typeof value === "string" ? withoutInAddress(value) : value.map(withoutInAddress);
      shorten(headers, name, rest, request);
    }
  };
}

/** The same names of headers come again and again. */
const isAddress = rememberPerText((name) => tellsAddress(plainName(name)));
