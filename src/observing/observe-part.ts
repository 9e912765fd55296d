import type { OutgoingRequest } from "../delegating-handler.ts";
import type { ShownIdentity } from "../identity/pseudonym.ts";
import type { Logger } from "../logging/logger.ts";
import { attempt } from "../unattended/attempt.ts";
import { redactSent } from "../secrets/redact.ts";
import type { AskedPart, ObservablePart } from "./observable-part.ts";
import { offerHeaders } from "./headers-observers-may-add.ts";
import type { CacheResult, ObservedPart, ObservedRequest, PartObservation, PartRecord } from "./observer.ts";

type Watched = Readonly<{ part: ObservablePart; whole: AskedPart }>;

type Watching = Readonly<{
  observed: readonly ObservedRequest[];
  /** Hears who was let in, as it is the whole's client. */
  recognised: (identity: ShownIdentity) => void;
  logger: Logger;
}>;

/** What is known of a call while it runs. */
type Facts = {
  startedAt: number;
  start: number;
  identity?: ShownIdentity;
  target?: string;
  cache?: CacheResult;
  retries?: number;
  error?: string;
};

const failure = "An observer failed; requests go on.";

/** Begins to watch the call of an aggregate's part, for those who watch the whole and want to know of its parts. */
export function observePart(watched: Watched, { observed, recognised, logger }: Watching): PartObservation {
  const { part } = watched;
  const watching = observed
    .map((request) => attempt({ logger, failure }, (): unknown => request.part?.(part.context)))
    .filter(isObserved);
  const facts: Facts = { startedAt: Date.now(), start: performance.now() };
  let isOver = false;
  return {
    begun: () => void Object.assign(facts, { startedAt: Date.now(), start: performance.now() }),
    sending(outgoing) {
      const tell = (offered: OutgoingRequest): void => tellAll((one) => one.sending?.(offered));
      if (watching.length > 0) offerHeaders(outgoing, part, { tell, tryTo });
      facts.target = outgoing.origin + outgoing.path;
    },
    retried: () => void (facts.retries = (facts.retries ?? 0) + 1),
    recognised(identity) {
      facts.identity = identity;
      recognised(identity);
    },
    cached: (result) => void (facts.cache = result),
    failed: (code) => void (facts.error ??= code),
    settled(status) {
      if (isOver) return;
      isOver = true;
      // Middleware may have set placeholders that throw when they are read.
      const record = attempt({ logger, failure }, () => createRecord(watched, facts, status));
      if (record !== undefined) tellAll((one) => one.ended?.(record));
    },
    left: leave,
    ended: leave,
    answered: () => undefined,
    part: () => undefined,
  };

  function leave(): void {
    if (isOver) return;
    isOver = true;
    tellAll((one) => one.left?.());
  }

  function tellAll(tell: (one: ObservedPart) => void): void {
    for (const one of watching) tryTo(() => tell(one));
  }

  function tryTo(run: () => void): void {
    attempt({ logger, failure }, run);
  }
}

function isObserved(part: unknown): part is ObservedPart {
  return typeof part === "object" && part !== null;
}

function createRecord({ part, whole }: Watched, facts: Facts, status: number): PartRecord {
  const { route, req, requestId } = part.context;
  const { target } = facts;
  return {
    route,
    aggregate: whole.context.route,
    requestId,
    identity: facts.identity,
    method: req.method ?? "GET",
    target: target === undefined ? undefined : redactFor(whole, redactFor(part, target)),
    status,
    startedAt: facts.startedAt,
    duration: performance.now() - facts.start,
    cache: facts.cache,
    retries: facts.retries,
    error: facts.error,
  };
}

/** The client's query goes to all parts: what is a secret in the whole's template stands in their URLs as well. */
function redactFor({ context, matched }: AskedPart, url: string): string {
  return redactSent(url, context.route.config, matched.values);
}
