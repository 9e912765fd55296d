import { createRequire } from "node:module";
import type CachePolicy from "http-cache-semantics";
import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import { longestKept, longestTime } from "./kept-statuses-and-times.ts";
import type { Asked } from "./what-is-asked.ts";
import { type Directives, joinLines, readDirectives, readSeconds } from "./cache-control.ts";
import type { CacheSettings } from "./effective-cache.ts";
import type { Freshness, Lifetime, Verdict } from "./freshness.ts";
import { readHttpDate } from "./http-date.ts";
import { toldAge } from "./kept-answer.ts";
import type { KeptHead } from "./kept-head.ts";

const load = createRequire(import.meta.url);

/** How long an answer waits, after its time, to be told by the service that it still holds. */
const validatedWithin = 86_400_000;

const options = { shared: true, immutableMinTimeToLive: 0 };

// What these forbid holds for answers that are not fresh, whatever else allows it.
const againstStale = ["must-revalidate", "proxy-revalidate", "s-maxage"];

/** Answers decide themselves, as RFC 9111 has it, and RFC 5861. */
export function createRfcFreshness(settings: CacheSettings): Freshness {
  // Only who asks for it pays for it.
  const Policy = load("http-cache-semantics") as typeof CachePolicy;
  const policies = new WeakMap<object, CachePolicy>();
  return { lifetimeOf, judge, validatorsOf, survivesErrors };

  function lifetimeOf(answer: UpstreamResponse, asked: Asked): Lifetime | undefined {
    const longest = longestTime(answer.status, settings);
    if (longest <= 0) return undefined;
    const { status } = answer;
    const headers = readableHeaders(answer.headers);
    const policy = new Policy(readableRequest(asked), { status, headers }, options);
    if (!policy.storable()) return undefined;
    const fresh = Math.max(0, policy.maxAge() * 1_000 - policy.age() * 1_000);
    const waits = hasValidator(headers) ? validatedWithin : 0;
    const milliseconds = Math.min(longest, longestKept, Math.max(policy.timeToLive(), fresh) + waits);
    return milliseconds > 0 ? { milliseconds, fresh, policy: policy.toObject() } : undefined;
  }

  function judge(head: KeptHead, asked: Asked): Verdict {
    const policy = policyOf(head);
    if (policy === undefined) return "ask";
    const request = readableRequest(asked);
    if (policy.satisfiesWithoutRevalidation(request)) return "fresh";
    const directives = readDirectives(head.headers["cache-control"]);
    const isBehind =
      !demandsFresh(request) && allowsStale(directives) && isWithin("stale-while-revalidate", policy, directives);
    return isBehind ? "behind" : "ask";
  }

  function survivesErrors(head: KeptHead): boolean {
    const policy = policyOf(head);
    const directives = readDirectives(head.headers["cache-control"]);
    return policy !== undefined && allowsStale(directives) && isWithin("stale-if-error", policy, directives);
  }

  function policyOf({ policy }: KeptHead): CachePolicy | undefined {
    if (policy === undefined) return undefined;
    const known = policies.get(policy);
    if (known !== undefined || !isPolicy(policy)) return known;
    const read = Policy.fromObject(policy);
    policies.set(policy, read);
    return read;
  }
}

/** A store may give anything: by a policy of other parts nobody knows how long the answer holds. */
function isPolicy(
  policy: Partial<Record<keyof CachePolicy.CachePolicyObject, unknown>>,
): policy is CachePolicy.CachePolicyObject {
  const { v: version, m: method, sh: isShared, t: time, ch: share, imm: least, resh, rescc, reqcc } = policy;
  return (
    version === 1 &&
    typeof method === "string" &&
    isShared === true &&
    [time, share, least].every(Number.isFinite) &&
    [resh, rescc, reqcc].every(areTexts)
  );
}

function areTexts(values: unknown): boolean {
  if (typeof values !== "object" || values === null) return false;
  return Object.values(values).every((value) => typeof value === "string" || value === true);
}

function allowsStale(directives: Directives): boolean {
  return !againstStale.some((name) => directives.has(name));
}

function isWithin(name: string, policy: CachePolicy, directives: Directives): boolean {
  const seconds = readSeconds(directives, name) ?? 0;
  return seconds > 0 && policy.age() < policy.maxAge() + seconds;
}

function validatorsOf({ headers }: KeptHead): Readonly<Record<string, string>> {
  const [tag, modified] = [joinLines(headers.etag), joinLines(headers["last-modified"])];
  return {
    ...(tag === undefined ? {} : { "if-none-match": tag }),
    ...(modified === undefined ? {} : { "if-modified-since": modified }),
  };
}

function hasValidator({ etag, "last-modified": modified }: Readonly<Record<string, string>>): boolean {
  return etag !== undefined || modified !== undefined;
}

/** How the policy gets what it reads of an answer: what is not as it has to be counts as it says least. */
const read: Readonly<Record<string, (line: string) => string>> = {
  age: (line) => String(toldAge({ age: line }) / 1_000),
  date: (line) => line,
  // What is no date has been over for long.
  expires: (line) => new Date(readHttpDate(line) ?? 0).toUTCString(),
  "last-modified": (line) => line,
  etag: (line) => line,
  pragma: (line) => line,
};

/** The policy reads one line of each header, and directives in lower case; by what answers vary is decided before. */
function readableHeaders(headers: Headers): Record<string, string> {
  const directives = readDirectives(headers["cache-control"]);
  const lines = Object.entries(read).flatMap(([name, toReadable]) => {
    const value = headers[name];
    if (value === undefined) return [];
    // A date that is told twice is none.
    const line = Array.isArray(value) && name === "expires" ? "" : String([value].flat()[0]);
    return [[name, toReadable(line)]];
  });
  // The policy would never give such an answer again, though it is fresh.
  const control = [...directives].filter(([name]) => name !== "must-revalidate");
  const told = control.map(([name, [first = ""]]) => toDirective(name, first, directives));
  return Object.fromEntries([...lines, ...(told.length === 0 ? [] : [["cache-control", told.join(", ")]])]) as Record<
    string,
    string
  >;
}

function toDirective(name: string, argument: string, directives: Directives): string {
  if (argument === "") return name;
  const seconds = readSeconds(directives, name);
  return /^\d/.test(argument) ? `${name}=${seconds ?? 0}` : `${name}="${argument.replaceAll(/[,"]/g, " ")}"`;
}

/** What a client says of caches counts where its peer is trusted; what is not fresh is nobody's due, whoever would take it. */
function readableRequest({ outgoing, exchange }: Asked): CachePolicy.HttpRequest {
  const { method, headers: sent } = outgoing;
  const { "cache-control": control, pragma } = sent;
  if (!exchange.peerIsTrusted) return { url: "/", method, headers: {} };
  const directives = readDirectives(control);
  const given = [...directives].filter(([name]) => name !== "max-stale");
  const told = given.map(([name, [argument = ""]]) => (argument === "" ? name : `${name}=${argument}`));
  // To the policy an answer of this very millisecond is no older than that.
  if (readSeconds(directives, "max-age") === 0) told.push("no-cache");
  const headers = {
    ...(control === undefined ? {} : { "cache-control": told.join(", ") }),
    ...(pragma === undefined ? {} : { pragma: String(pragma).toLowerCase() }),
  };
  return { url: "/", method, headers };
}

const demands = ["no-cache", "max-age", "min-fresh"];

/** Whether a client wants nothing that is not fresh. */
function demandsFresh({ headers: { "cache-control": control, pragma } }: CachePolicy.HttpRequest): boolean {
  const directives = readDirectives(control);
  return demands.some((name) => directives.has(name)) || String(pragma).includes("no-cache");
}
