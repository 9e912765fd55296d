import type { GatewayContext } from "../delegating-handler.ts";
import type { ShownIdentity } from "../identity/pseudonym.ts";
import { redactAsked, redactMountPath, redactSent } from "../secrets/redact.ts";
import type { PlaceholderValues } from "../templates/fill-template.ts";
import type { CacheResult, RequestRecord } from "./observer.ts";
import type { OfferingExchange } from "./headers-observers-may-add.ts";
import { statusWithoutAnswer } from "./status-without-answer.ts";

/** What of an exchange observers learn something from. */
export type ObservableExchange = OfferingExchange &
  Readonly<{
    context: GatewayContext;
    matched: Readonly<{ values: PlaceholderValues }>;
    mountPath: string;
    mountParams: Readonly<Record<string, unknown>> | undefined;
  }>;

/** What is known of a request while it runs. */
export type Facts = {
  readonly url: string;
  readonly startedAt: number;
  readonly start: number;
  readonly sentBefore: number;
  readonly received: () => number;
  identity?: ShownIdentity;
  target?: string;
  answeredAfter?: number;
  cache?: CacheResult;
  retries?: number;
  error?: string;
};

/** What observers and the access log are told of a request that has ended. */
export function createRecord(
  { context, matched, mountPath, mountParams }: ObservableExchange,
  facts: Facts,
): RequestRecord {
  const { req, res, route, requestId } = context;
  const { values } = matched;
  return {
    route,
    requestId,
    identity: facts.identity,
    method: req.method ?? "GET",
    path: redactAsked(facts.url, route.config, values),
    mountPath: mountPath === "" ? mountPath : redactMountPath(mountPath, mountParams ?? {}, route.config),
    target: facts.target === undefined ? undefined : redactSent(facts.target, route.config, values),
    status: res.headersSent ? res.statusCode : statusWithoutAnswer(facts.error),
    startedAt: facts.startedAt,
    duration: performance.now() - facts.start,
    // Of a hit no upstream knows.
    answeredAfter: facts.cache === "hit" ? undefined : facts.answeredAfter,
    received: facts.received(),
    sent: req.socket.bytesWritten - facts.sentBefore,
    cache: facts.cache,
    retries: facts.retries,
    error: facts.error,
  };
}
