import type { ErrorCode } from "../errors.ts";
import type { Headers } from "../delegating-handler.ts";
import type { PlaceholderOrigin } from "../templates/upstream-template.ts";
import type { RouteAccess } from "./route-access.ts";
import type { Policy } from "./route-policies.ts";

/** A request to be explained. */
export type ExplainableRequest = Readonly<{
  method: string;
  /** As a client would write it below the mount path, with query. */
  path: string;
  /** The `Host` header; `localhost` by default. */
  host?: string | undefined;
  headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Where the gateway is mounted; at the root by default. */
  mountPath?: string | undefined;
  /** Where the client is; without it address lists are not asked. */
  address?: string | undefined;
}>;

/** What the gateway would do with a request, and why. */
export type Explanation = Readonly<{
  request: Readonly<{
    method: string;
    path: string;
    host: string;
    /** Only where one was given. */
    address?: string;
  }>;
  /**
   * `websocket`: it would be upgraded; `aggregate`: several routes would be asked; `refused`: a route takes it, but it
   * would be answered with an error.
   */
  outcome: "forwarded" | "websocket" | "aggregate" | "refused" | "no-route";
  /** The id of the route that takes the request. */
  route: string | undefined;
  /** Every route, in the order in which they are tried. */
  routes: readonly ExplainedRoute[];
  /** What the placeholders of the route took. */
  placeholders: readonly ExplainedPlaceholder[];
  forwarded: ExplainedForward | undefined;
  refusal: ExplainedRefusal | undefined;
  /** Who may come in on the route that takes the request. */
  access: RouteAccess | undefined;
  /** What else it asks for: how often clients may ask, what is cached, and so on. */
  policies: readonly Policy[];
  /** Whether its answer may come from the cache; undefined where nothing of the route is cached. */
  cache?: ExplainedCache | undefined;
  /** Only of an aggregate: its parts, in the order of its answer. */
  parts?: readonly ExplainedPart[];
  /** Only of an aggregate: what it answers with, in a sketch. */
  answer?: string;
  /** Only where the path begins with a service that no route names, and clients reach some by their names. */
  unlisted?: ExplainedUnlisted;
  /** Only where a token was given. */
  token?: ExplainedToken;
  /** The metadata of the route, global keys first. */
  metadata: readonly ExplainedMetadata[];
}>;

/** Whether an answer may come from the cache. */
export type ExplainedCache = Readonly<{
  isUsed: boolean;
  /** Why it is not. */
  reason: string | undefined;
  /** By what answers are told apart; no value stands here. */
  toldApartBy: readonly string[];
}>;

/** One part of an aggregate, and what would become of the request there. */
export type ExplainedPart = Readonly<{
  /** The `Key` of its route. */
  key: string;
  /** For which values of another answer it is asked, in words; undefined where it is asked once. */
  askedFor: string | undefined;
  access: RouteAccess;
}> &
  Pick<Explanation, "outcome" | "forwarded" | "refusal" | "policies" | "cache">;

/** A service that a client names, and no route does. */
type ExplainedUnlisted = Readonly<{ service: string; isOpen: boolean; message: string }>;

/** One route, and why it takes the request or not. */
export type ExplainedRoute = Readonly<{
  id: string;
  /** `dynamic`: clients reach the service by its name; `aggregate`: several routes answer together. */
  kind: "route" | "dynamic" | "aggregate";
  /** In which of several files it stands. */
  file?: string | undefined;
  /** In which line of that file, where the file was read for that. */
  line?: number | undefined;
  /** Its place in the configuration. */
  index: number;
  upstreamPathTemplate: string;
  /** Empty: every method but TRACE and CONNECT. */
  methods: readonly string[];
  host: string | undefined;
  /** The priority that counts: 0 for a template that takes every path. */
  priority: number;
  /** `passed-by`: it fits too, but an earlier route takes the request. */
  verdict: "takes" | "passed-by" | "does-not-match";
  /** At least one; in words. */
  reasons: readonly Reason[];
}>;

/** What of a route's lock a token opens, as far as that can be told without asking anybody. */
export type ExplainedToken = Readonly<{
  /** `unknown`: only the gateway, or the server that it asks, can tell. */
  verdict: TokenVerdict;
  schemes: readonly Readonly<{ scheme: string; verdict: TokenVerdict; checks: readonly ExplainedCheck[] }>[];
  /** Scopes and claims that the route asks for. */
  requirements: readonly ExplainedCheck[];
}>;

/** Whether something about a token is as it must be. */
export type TokenVerdict = "holds" | "fails" | "unknown";

/** One thing that a token must fulfil; nothing of the token stands here. */
export type ExplainedCheck = Readonly<{ what: string; expected: string; verdict: TokenVerdict }>;

/** Why a route takes a request or not. */
export type Reason = Readonly<{
  aspect: "path" | "host" | "method" | "query" | "header" | "order" | "target";
  message: string;
}>;

/** The value of a placeholder, raw and decoded. */
export type ExplainedPlaceholder = Readonly<{
  name: string;
  value: string;
  /** As `req.params` has it. */
  decoded: string;
  from: PlaceholderOrigin;
}>;

/** What would be sent upstream, as far as no middleware or handler changes it. */
export type ExplainedForward = Readonly<{
  method: string;
  url: string;
  /** The other hosts among which the route chooses. */
  otherOrigins: readonly string[];
  /** How it chooses among several. */
  balancer: string | undefined;
  headers: Headers;
  /** What becomes of headers of the answer, in words; only where something does. */
  answerHeaders?: Headers;
}>;

/** Why the gateway would answer by itself. */
export type ExplainedRefusal = Readonly<{
  status: number;
  code: ErrorCode;
  message: string;
  /** The rule behind it, in words. */
  rule: string;
}>;

/** One metadata entry, and where it is written. */
export type ExplainedMetadata = Readonly<{
  key: string;
  value: string | null;
  from: "global" | "route";
  /** The global value that the route's replaces. */
  replaces?: string | null;
}>;
