import { hash } from "node:crypto";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { copyHeaders } from "../../forwarding/copy-outgoing.ts";
import { findPassingReason, longBody, type PassingReason } from "./bypass-reason.ts";
import { areCovered, type Credentials, credentialsShown, findCredentials, identityParts } from "./shown-credentials.ts";
import type { CacheSettings } from "./effective-cache.ts";
import type { VaryMark } from "./kept-answer.ts";
import type { TargetChanges } from "./changes-end-answers.ts";
import {
  namedParts,
  nameOfParts,
  nameOfRequest,
  type Parts,
  requestParts,
  type TellingHeaders,
  textOf,
} from "./request-key.ts";
import { takeHashedBody } from "./hash-post-body.ts";

/** What a request asks, as far as answers are told apart by it. */
export type Asked = Readonly<{
  outgoing: OutgoingRequest;
  exchange: MatchedExchange;
  isHead: boolean;
  /** The name under which its answer is looked for first. */
  name: string;
  /** What its answer is thrown away by. */
  groups: readonly string[];
  /** The same as asked by GET. */
  asGet: () => Asked;
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
  }>;

/** Reads what a request asks; why it passes the cache by, where it does. Most requests tell at once. */
export function readAsked(
  outgoing: OutgoingRequest,
  exchange: MatchedExchange,
  asking: AskedSettings,
): Asked | PassingReason | Promise<Asked | PassingReason> {
  const { settings } = asking;
  const passing = findPassingReason(outgoing, exchange, settings);
  if (passing !== undefined) return passing;
  const who = settings.byIdentity ? identityParts(exchange) : nobody;
  if (who === undefined) return credentialsShown;
  if (outgoing.method !== "POST") return createAsked(outgoing, exchange, { asking, further: who });
  return contentParts(outgoing, exchange).then((content) =>
    content === undefined ? longBody : createAsked(outgoing, exchange, { asking, further: [...who, ...content] }),
  );
}

/** What tells a request apart besides what each has. */
type Further = Readonly<{ asking: AskedSettings; further: Parts }>;

function createAsked(outgoing: OutgoingRequest, exchange: MatchedExchange, { asking, further }: Further): Asked {
  const { making, settings, groups, changes } = asking;
  const credentials = settings.byIdentity ? undefined : findCredentials(exchange);
  const shown = valuesOf(credentials, exchange);
  const { header } = settings;
  // Clients may ask for the same by several addresses.
  const target = changes?.groupOf({ outgoing, exchange });
  const besides = requestParts(outgoing, exchange, asking);
  besides.push(textOf(outgoing.headers[header]), shown.get(header) ?? "", ...further);
  if (target !== undefined) besides.push(target);
  const groupsOfTarget = target === undefined ? groups : [...groups, target];
  let held = outgoing.headers;
  return askedBy(exchange.context.req.method ?? "", outgoing);

  function askedBy(method: string, sent: OutgoingRequest): Asked {
    const name = nameOfRequest(sent.path, [method, sent.method, making, ...besides]);
    return {
      outgoing: sent,
      exchange,
      isHead: sent.method === "HEAD",
      name,
      groups: groupsOfTarget,
      asGet: () => askedBy("GET", { ...outgoing, method: "GET" }),
      holdHeaders,
      nameAmong: ({ varies, mark }) => nameOfParts([name, mark, ...namedParts(varies, held, shown)]),
      mayBeShared,
    };
  }

  function holdHeaders(): void {
    held = copyHeaders(outgoing.headers);
  }

  function mayBeShared(varies: readonly string[]): boolean {
    if (held !== outgoing.headers && varies.some(isMadeOnTheWay)) return false;
    return credentials === undefined || areCovered(credentials, [header, ...varies], exchange);
  }

  /** Of what a handler has made such a header, nobody knows: others may get another one. */
  function isMadeOnTheWay(name: string): boolean {
    return name !== "host" && held[name] === undefined && outgoing.headers[name] !== undefined;
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
  const { "content-type": type, "content-encoding": coding } = outgoing.headers;
  const body = await takeHashedBody(outgoing, exchange);
  return body && [textOf(type), textOf(coding), hash("sha256", body, "base64url")];
}
