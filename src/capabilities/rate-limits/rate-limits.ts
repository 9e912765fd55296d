import { GatewayError } from "../../errors.ts";
import type { Logger } from "../../logging/logger.ts";
import type { RouteConfig } from "../../config/sections.ts";
import { type CapabilitySurroundings, defineCapability, type Guard } from "../capability.ts";
import { requirementOf } from "../../identity/required-schemes.ts";
import { longestQuestion } from "../../identity/unknown-in-time.ts";
import { createByAddress, createByHeader, createByIdentity, type FindClient, findNobody } from "./who-is-counted.ts";
import { effectiveLimit, type RateLimit } from "./effective-limit.ts";
import { type Counts, createCounts } from "./count-while-store-is-away.ts";
import { createGuesses, type Guesses } from "./guesses-under-way.ts";
import { createGuessGuard } from "./guess-guard.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { addressLimit, mainLimit } from "./name-of-counts.ts";
import { tellLimit } from "./tell-limit.ts";
import { countAll, countUnlessFree, type FindCounted } from "./whitelist.ts";
import { dropLimitsOfService } from "./limit-headers.ts";

/** What the routes of a configuration share: how to find out a client's address, what counts, and who is guessing. */
type Shared = Readonly<{ byAddress: FindClient; counts: Counts; guesses: Guesses }>;

/** Limits how often clients may ask, before they are asked who they are. */
export const rateLimits = defineCapability<Shared>("rate limits", {
  tells: tellLimit,
  prepare({ logger, store }, earlier) {
    if (earlier !== undefined) return earlier;
    return { byAddress: createByAddress(createTell(logger)), counts: createCounts(store), guesses: createGuesses() };
  },
  compile(config, { byAddress, counts, guesses }, surroundings) {
    const rate = limitOf(config, surroundings);
    if (rate === undefined) return undefined;
    const limiter = createLimiter(counts[rate.onStoreFailure]);
    const main = mainLimit(rate, config);
    if (rate.by === "Identity") {
      const longestWait = longestWaitOf(config, surroundings);
      const guard = createGuessGuard({ limiter, limit: main, byAddress, guesses, longestWait });
      return { guard, changeAnswer: dropLimitsOfService };
    }
    const finders = {
      Header: () => createByHeader(rate.header, config, surroundings, byAddress),
      Address: () => byAddress,
      Route: () => findNobody,
    };
    const first = rate.addressLimit === undefined ? [] : [countAll(addressLimit(rate, config), byAddress)];
    const guard = createGuard(limiter, [...first, countUnlessFree(main, finders[rate.by](), rate.free)]);
    return { guard, judgesCalls: true, changeAnswer: dropLimitsOfService };
  },
});

/** Limits how often clients may ask by who they are: guesses that the other limits let begin end here. */
export const identityLimits = defineCapability<Shared>("rate limits by identity", {
  sharesWith: rateLimits,
  compile(config, { byAddress, counts, guesses }, surroundings) {
    const rate = limitOf(config, surroundings);
    if (rate?.by !== "Identity") return undefined;
    const main = countUnlessFree(mainLimit(rate, config), createByIdentity(byAddress), rate.free);
    const limitRate = createGuard(createLimiter(counts[rate.onStoreFailure]), [main]);
    const guard: Guard = function limitRecognised(exchange) {
      guesses.end(exchange);
      return limitRate(exchange);
    };
    return { guard, judgesCalls: true };
  },
});

function limitOf(config: RouteConfig, { global, options }: CapabilitySurroundings): RateLimit | undefined {
  const limit = effectiveLimit(config, global);
  if (limit === undefined) return undefined;
  const countsAddresses = limit.by === "Address" || limit.by === "Identity" || limit.addressLimit !== undefined;
  if (countsAddresses && options.trustProxy === true) throw trustsClients();
  return limit;
}

/** Within a moment those have their turn that came with others, whose schemes were silent. */
const moment = 500;

/** How long a request waits: as long as the schemes may take for those before it, and a moment. */
function longestWaitOf(config: RouteConfig, { global }: CapabilitySurroundings): number {
  const { schemes = [] } = requirementOf(config, global) ?? {};
  return schemes.length * longestQuestion + moment;
}

function trustsClients(): GatewayError {
  return new GatewayError(
    "option-invalid",
    'Invalid option "trustProxy": true stands beside "RateLimitOptions" that count addresses. Every client could then ' +
      'choose a new address for each request: name the addresses of your proxies, such as "loopback, 10.0.0.0/8", or how many there are.',
  );
}

function createTell(logger: Logger): () => void {
  let hasTold = false;
  return function tell() {
    const found =
      'The app\'s setting "trust proxy" is true, so that clients could choose the address they are counted by';
    if (!hasTold)
      logger.error({}, `${found}: it is that of the peer instead. Name the addresses of your proxies there.`);
    hasTold = true;
  };
}

function createGuard(limiter: Limiter, limits: readonly FindCounted[]): Guard {
  const [findOnly] = limits;
  if (findOnly !== undefined && limits.length === 1) return limitByOne(limiter, findOnly);
  return function limitRate(exchange) {
    const clients = limits.map((findCounted) => findCounted(exchange)).filter((counted) => counted !== undefined);
    return clients.length === 0 ? undefined : limiter.count(exchange, clients);
  };
}

/** Most routes have one limit: a list that is made whole takes less memory than one that grows. */
function limitByOne(limiter: Limiter, findCounted: FindCounted): Guard {
  return function limitRate(exchange) {
    const client = findCounted(exchange);
    return client === undefined ? undefined : limiter.count(exchange, [client]);
  };
}
