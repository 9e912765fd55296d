import { hash } from "node:crypto";
import type { Headers, OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { copyHeaders } from "../../forwarding/copy-outgoing.ts";
import { findPassingReason, longBody, type PassingReason } from "./bypass-reason.ts";
import { areCovered, type Credentials, credentialsShown, findCredentials, identityParts } from "./shown-credentials.ts";
import type { CacheSettings } from "./effective-cache.ts";
import type { VaryMark } from "./kept-answer.ts";
import type { TargetChanges } from "./changes-end-answers.ts";
import {
  addRequestParts,
  namedParts,
  nameOfParts,
  nameOfRequest,
  originThatTells,
  type Parts,
  type TellingHeaders,
  textOf,
} from "./request-key.ts";
import { takeHashedBody } from "./hash-post-body.ts";
import { shownToCode } from "./shown-to-code.ts";

/** What a request asks, as far as answers are told apart by it. */
export type Asked = Readonly<{
  outgoing: OutgoingRequest;
  exchange: MatchedExchange;
  isHead: boolean;
  /** The name under which its answer is looked for first. */
  name: string;
  /** What its answer is thrown away by. */
  groups: readonly string[];
  /** The origin by which it is told from others; undefined where all that it may be sent to answer alike. */
  origin: string | undefined;
  /** The same as asked by GET. */
  asGet: () => Asked;
  /** The same as asked by a stand-in that outlives the exchange. */
  by: (exchange: MatchedExchange) => Asked;
  /** Holds the headers as they are: while the request is under way, a handler or the choice of a host may change them. */
  holdHeaders: () => void;
  /** The name of its answer among those that differ by further headers: as held, as others are looked for by them, too. */
  nameAmong: (mark: VaryMark) => string;
  /** Whether its answer may be given to others, where answers are told apart by these headers besides. */
  mayBeShared: (varies: readonly string[]) => boolean;
}>;

/** What decides how the requests of a route are read. */
export type AskedSettings = TellingHeaders &
  Readonly<{
    /** A name of all that an answer may come from besides its request. */
    making: string;
    settings: CacheSettings;
    /** What the answers of the route are thrown away by. */
    groups: readonly string[];
    /** Only where what was done to a target counts. */
    changes: TargetChanges | undefined;
    /** Whether code of the app stands behind the cache: handlers, or a balancer. They are shown more than a service is. */
    hasCodeBehind: boolean;
  }>;

/** Reads what a request asks; why it passes the cache by, where it does. Most requests tell at once. */
export function readAsked(
  outgoing: OutgoingRequest,
  exchange: MatchedExchange,
  asking: AskedSettings,
): Asked | PassingReason | Promise<Asked | PassingReason> {
  const { settings, hasCodeBehind } = asking;
  const passing = findPassingReason(outgoing, exchange, settings);
  if (passing !== undefined) return passing;
  const who = settings.byIdentity ? identityParts(exchange, hasCodeBehind) : nobody;
  if (who === undefined) return credentialsShown;
  if (outgoing.method !== "POST") return createAsked(outgoing, exchange, { asking, further: who });
  return contentParts(outgoing, exchange).then((content) =>
    content === undefined ? longBody : createAsked(outgoing, exchange, { asking, further: [...who, ...content] }),
  );
}

/** What tells a request apart besides what each has. */
type Further = Readonly<{ asking: AskedSettings; further: Parts }>;

function createAsked(outgoing: OutgoingRequest, exchange: MatchedExchange, { asking, further }: Further): Asked {
  const { making, settings, groups, changes, hasCodeBehind } = asking;
  const { header, byIdentity } = settings;
  const credentials = byIdentity ? undefined : findCredentials(exchange, hasCodeBehind);
  const shown = valuesOf(credentials, exchange);
  const origin = originThatTells(outgoing, exchange);
  const host = origin === undefined ? "" : `${origin} ${textOf(outgoing.headers.host)}`;
  const parts = [exchange.context.req.method ?? "", outgoing.method, making, host];
  addRequestParts(parts, outgoing, exchange, asking);
  parts.push(textOf(outgoing.headers[header]), shown.get(header) ?? "", ...further);
  if (hasCodeBehind) parts.push(...shownToCode(outgoing, exchange, asking));
  const told = { parts, origin, header, credentials, shown, hasCodeBehind };
  if (changes === undefined) return new AskedRequest(outgoing, exchange, { ...told, groups });
  // Clients may ask for the same by several addresses.
  const target = changes.groupOf({ outgoing, exchange });
  parts.push(target);
  return new AskedRequest(outgoing, exchange, { ...told, groups: [...groups, target] });
}

/** What a request tells besides what is sent: the texts that make its name, the two methods first, and who asks. */
type Told = Readonly<{
  parts: Parts;
  groups: readonly string[];
  origin: string | undefined;
  header: string;
  credentials: Credentials | undefined;
  shown: ReadonlyMap<string, string>;
  hasCodeBehind: boolean;
}>;

/** A class, as each request of a route with a cache has one: functions of its own would cost more than all that they do. */
class AskedRequest implements Asked {
  readonly outgoing: OutgoingRequest;
  readonly exchange: MatchedExchange;
  readonly isHead: boolean;
  readonly name: string;
  readonly groups: readonly string[];
  readonly origin: string | undefined;
  readonly #told: Told;
  #held: Headers;

  constructor(outgoing: OutgoingRequest, exchange: MatchedExchange, told: Told) {
    this.outgoing = outgoing;
    this.exchange = exchange;
    this.isHead = outgoing.method === "HEAD";
    this.name = nameOfRequest(outgoing.path, told.parts);
    this.groups = told.groups;
    this.origin = told.origin;
    this.#told = told;
    this.#held = outgoing.headers;
  }

  asGet(): Asked {
    const parts = ["GET", "GET", ...this.#told.parts.slice(2)];
    return new AskedRequest({ ...this.outgoing, method: "GET" }, this.exchange, { ...this.#told, parts });
  }

  by(exchange: MatchedExchange): Asked {
    return new AskedRequest(this.outgoing, exchange, this.#told);
  }

  holdHeaders(): void {
    this.#held = copyHeaders(this.outgoing.headers);
  }

  nameAmong({ varies, mark }: VaryMark): string {
    return nameOfParts([this.name, mark, ...namedParts(varies, this.#held, this.#told.shown)]);
  }

  mayBeShared(varies: readonly string[]): boolean {
    const { credentials, header, hasCodeBehind } = this.#told;
    if (hasCodeBehind && this.#isUnderWay() && !varies.every((name) => this.#isTold(name))) return false;
    return credentials === undefined || areCovered(credentials, [header, ...varies], this.exchange);
  }

  #isUnderWay(): boolean {
    return this.#held !== this.outgoing.headers;
  }

  /**
   * Handlers may have made the answer by a header that the request did not have before them, for this request or for an
   * earlier one, and nobody knows of what. The host is set behind the cache.
   */
  #isTold(name: string): boolean {
    return name !== "host" && this.#held[name] !== undefined;
  }
}

const nobody: Parts = [];
const noValues: ReadonlyMap<string, string> = new Map();

/** Credentials as the client sent them: what a scheme reads may not travel on. */
function valuesOf(credentials: Credentials | undefined, { given }: MatchedExchange): ReadonlyMap<string, string> {
  if (credentials === undefined || credentials.headers.length === 0) return noValues;
  return new Map(credentials.headers.map((name) => [name, textOf(given[name])]));
}

async function contentParts(outgoing: OutgoingRequest, exchange: MatchedExchange): Promise<Parts | undefined> {
  const { headers } = outgoing;
  const described = Object.keys(headers).filter(isOfContent).sort();
  const body = await takeHashedBody(outgoing, exchange);
  return body && [...described.flatMap((name) => [name, textOf(headers[name])]), hash("sha256", body, "base64url")];
}

// In these services of one address are told which operation is meant.
const operations: ReadonlySet<string> = new Set(["soapaction", "x-amz-target", "x-rpc-method", "prefer"]);

/** Whether a header says what the bytes of a body are, or what is to be done with them; their length is that of the bytes. */
function isOfContent(name: string): boolean {
  return (name.startsWith("content-") && name !== "content-length") || operations.has(name);
}
