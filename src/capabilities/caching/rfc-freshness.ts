import { createRequire } from "node:module";
import type CachePolicy from "http-cache-semantics";
import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import type { Asked } from "./asked.ts";
import { type Directives, joinLines, readDirectives, readSeconds } from "./cache-control.ts";
import type { CacheSettings } from "./effective-cache.ts";
import type { Freshness, Lifetime, Verdict } from "./freshness.ts";
import type { KeptHead } from "./kept-answer.ts";
import { longestTime } from "./storable.ts";

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
    const milliseconds = Math.min(longest, Math.max(policy.timeToLive(), fresh) + waits);
    return milliseconds > 0 ? { milliseconds, fresh, policy: policy.toObject() } : undefined;
  }

  function judge(head: KeptHead, asked: Asked): Verdict {
    const policy = policyOf(head);
    if (policy === undefined) return "ask";
    if (policy.satisfiesWithoutRevalidation(readableRequest(asked))) return "fresh";
    const directives = readDirectives(head.headers["cache-control"]);
    const { headers } = readableRequest(asked);
    const isBehind =
      Object.keys(headers).length === 0 &&
      allowsStale(directives) &&
      isWithin("stale-while-revalidate", policy, directives);
    return isBehind ? "behind" : "ask";
  }

  function survivesErrors(head: KeptHead): boolean {
    const policy = policyOf(head);
    const directives = readDirectives(head.headers["cache-control"]);
    return policy !== undefined && allowsStale(directives) && isWithin("stale-if-error", policy, directives);
  }

  /** A store may give anything. */
  function policyOf({ policy }: KeptHead): CachePolicy | undefined {
    try {
      return Policy.fromObject(policy as CachePolicy.CachePolicyObject);
    } catch {
      return undefined;
    }
  }
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

const read = ["age", "date", "expires", "last-modified", "etag", "pragma"] as const;

/** The policy reads one line of each header, and directives in lower case; by what answers vary is decided before. */
function readableHeaders(headers: Headers): Record<string, string> {
  const directives = readDirectives(headers["cache-control"]);
  const lines = read.flatMap((name) => {
    const value = headers[name];
    // A date that is told twice is none.
    return value === undefined
      ? []
      : [[name, Array.isArray(value) && name === "expires" ? "0" : String([value].flat()[0])]];
  });
  const control = [...directives].map(([name, [first = ""]]) => toDirective(name, first, directives));
  return Object.fromEntries([
    ...lines,
    ...(control.length === 0 ? [] : [["cache-control", control.join(", ")]]),
  ]) as Record<string, string>;
}

function toDirective(name: string, argument: string, directives: Directives): string {
  if (argument === "") return name;
  const seconds = readSeconds(directives, name);
  return /^\d/.test(argument) ? `${name}=${seconds ?? 0}` : `${name}="${argument.replaceAll(/[,"]/g, " ")}"`;
}

/** What a client says of caches counts where its peer is trusted. */
function readableRequest({ outgoing, exchange }: Asked): CachePolicy.HttpRequest {
  const { method, headers: sent } = outgoing;
  const { "cache-control": control, pragma } = sent;
  if (!exchange.peerIsTrusted) return { url: "/", method, headers: {} };
  const headers = {
    ...(control === undefined ? {} : { "cache-control": String(control).toLowerCase() }),
    ...(pragma === undefined ? {} : { pragma: String(pragma).toLowerCase() }),
  };
  return { url: "/", method, headers };
}
