import { hash } from "node:crypto";
import { GatewayError } from "../../errors.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Logger } from "../../logging/logger.ts";
import type { RouteConfig } from "../../config/sections.ts";
import { nameOfRoute } from "../../route-name.ts";
import { whenRejected } from "../../when-rejected.ts";
import { type CapabilitySurroundings, defineCapability, type Guard } from "../capability.ts";
import { createByAddress, createByHeader, createByIdentity, type FindClient, findNobody } from "./client-names.ts";
import { effectiveLimit, type RateLimit } from "./effective-limit.ts";
import { createLimiter, limitHeaders, type Limiter } from "./limiter.ts";
import { fillQuotaText } from "./quota-text.ts";

/** What the routes of a configuration share: how to find out a client's address. */
type Shared = Readonly<{ byAddress: FindClient }>;

const prepare = ({ logger }: CapabilitySurroundings, earlier: Shared | undefined): Shared =>
  earlier ?? { byAddress: createByAddress(createTell(logger)) };

/** Limits how often clients may ask, before they are asked who they are. */
export const rateLimits = defineCapability<Shared>("rate limits", {
  prepare,
  compile(config, { byAddress }, surroundings) {
    const limit = limitOf(config, surroundings);
    if (limit === undefined) return undefined;
    const limiter = createMainLimiter(limit, config, surroundings);
    if (limit.by === "Identity") return { guard: createAddressGuard(limiter, byAddress), changeAnswer: dropOthers };
    const finders = {
      Header: () => createByHeader(limit.header, config, surroundings, byAddress),
      Address: () => byAddress,
      Route: () => findNobody,
    };
    const main = createGuard(limiter, finders[limit.by](), limit.free);
    const second = createSecondGuard(limit, { config, surroundings, byAddress });
    return { guard: second === undefined ? main : inTurn(second, main), changeAnswer: dropOthers };
  },
});

/** Limits how often clients may ask by who they are. */
export const identityLimits = defineCapability<Shared>("rate limits by identity", {
  prepare,
  compile(config, { byAddress }, surroundings) {
    const limit = limitOf(config, surroundings);
    if (limit?.by !== "Identity") return undefined;
    const limiter = createMainLimiter(limit, config, surroundings);
    return { guard: createGuard(limiter, createByIdentity(byAddress), limit.free) };
  },
});

function limitOf(config: RouteConfig, { global, options }: CapabilitySurroundings): RateLimit | undefined {
  const limit = effectiveLimit(config, global);
  if (limit === undefined) return undefined;
  const countsAddresses = limit.by === "Address" || limit.by === "Identity" || limit.addressLimit !== undefined;
  if (countsAddresses && options.trustProxy === true) throw trustsClients();
  return limit;
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

function createMainLimiter(limit: RateLimit, config: RouteConfig, { store }: CapabilitySurroundings): Limiter {
  const { text, status, showsHeaders, periodText, period, wait } = limit;
  const quota = { limit: limit.limit, period, wait };
  const group = `${groupOf(limit, config)} by ${limit.by}${limit.by === "Header" ? ` ${limit.header.toLowerCase()}` : ""}`;
  const filled = fillQuotaText(text, limit.limit, periodText);
  return createLimiter({ group, quota, text: filled, status, showsHeaders, showsPasses: true }, store);
}

type RouteSurroundings = Readonly<{ config: RouteConfig; surroundings: CapabilitySurroundings; byAddress: FindClient }>;

function createSecondGuard(
  limit: RateLimit,
  { config, surroundings: { store }, byAddress }: RouteSurroundings,
): Guard | undefined {
  const { addressLimit, text, status, showsHeaders, periodText, period, wait } = limit;
  if (addressLimit === undefined) return undefined;
  const quota = { limit: addressLimit, period, wait };
  const group = `${groupOf(limit, config)} address ${addressLimit}`;
  const filled = fillQuotaText(text, addressLimit, periodText);
  const limiter = createLimiter({ group, quota, text: filled, status, showsHeaders, showsPasses: false }, store);
  return (exchange) => limiter.count(exchange, byAddress(exchange).name);
}

/** What a store calls the counts of a route; under another limit they are others. */
function groupOf({ prefix, limit, period, wait }: RateLimit, config: RouteConfig): string {
  const name = config.Key === undefined ? hash("sha256", nameOfRoute(config), "base64url") : nameOfRoute(config);
  return `${prefix}:rate:${name}:${limit}/${period}/${wait}`;
}

function createGuard(limiter: Limiter, findClient: FindClient, whitelist: readonly string[]): Guard {
  const free = new Set(whitelist);
  return function limitRate(exchange) {
    const { id, name } = findClient(exchange);
    return id !== undefined && free.has(id) ? undefined : limiter.count(exchange, name);
  };
}

/**
 * Who guesses at credentials is counted by address, and refused before any scheme is asked; who is recognised is counted
 * by identity.
 */
function createAddressGuard(limiter: Limiter, byAddress: FindClient): Guard {
  return function limitUnrecognised(exchange) {
    const { name } = byAddress(exchange);
    exchange.cancellation.onCancel((reason) => {
      if (!(reason instanceof GatewayError) || reason.code !== "authentication-required") return;
      whenRejected(limiter.count(exchange, name), () => undefined);
    });
    return limiter.countIfUsedUp(exchange, name);
  };
}

function inTurn(first: Guard, second: Guard): Guard {
  return function limitTwice(exchange) {
    const refusal = first(exchange);
    if (refusal instanceof Promise) return refusal.then((late) => late ?? second(exchange));
    return refusal ?? second(exchange);
  };
}

const names = limitHeaders.map((name) => name.toLowerCase());

/** What a service tells of limits of its own is not what this gateway counts. */
function dropOthers({ headers }: UpstreamResponse, { context: { res } }: MatchedExchange): void {
  if (!res.hasHeader(names[0]!)) return;
  for (const name of names) Reflect.deleteProperty(headers, name);
}
