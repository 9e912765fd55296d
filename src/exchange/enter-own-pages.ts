import type { IncomingMessage, ServerResponse } from "node:http";
import { findRefusal } from "../admission/find-refusal.ts";
import { isHttp2, refuseHttp2 } from "../admission/refuse-http2.ts";
import type { Next } from "../answers/answer-error.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import type { Logger } from "../logging/logger.ts";
import { readRequestTarget } from "../urls/request-target.ts";
import type { Begin } from "./begin-exchange.ts";
import { failExchange } from "./fail-exchange.ts";
import type { Exchange } from "./exchange.ts";
import { runGuards } from "./run-guards.ts";
import { isBehindOthers, waitForTurn } from "./wait-for-turn.ts";
import type { Tracker } from "./track-exchange.ts";

/** A request for something of the gateway's own, and the route whose locks hold for it when its turn comes. */
type OwnRequest = Readonly<{
  compiled: () => CompiledRoute;
  req: IncomingMessage;
  res: ServerResponse;
  next: Next;
  /** How many requests the gateway takes at the same time. */
  concurrent: () => number;
}>;

/** Lets a request in that the gateway answers itself: past the locks of a route of no index. */
export type EnterApart = (
  request: OwnRequest,
  answer: (exchange: Exchange, fail: (error: unknown) => void) => void | Promise<void>,
) => void;

type Entrance = Pick<Tracker, "track" | "findOverload"> & Readonly<{ begin: Begin; logger: Logger }>;

const entrances = new WeakMap<object, EnterApart>();

/** Remembers how requests enter a gateway, for those who are handed the gateway. */
export function rememberEntrance(gateway: object, enter: EnterApart): void {
  entrances.set(gateway, enter);
}

/** How requests enter a gateway; undefined for anything that `createGateway` did not return. */
export function entranceOf(gateway: object): EnterApart | undefined {
  return entrances.get(gateway);
}

/** Makes the way in: such a request counts, is observed and is refused as one for a route is. */
export function createEnterApart({ begin, track, findOverload, logger }: Entrance): EnterApart {
  return function enterApart(request, answer) {
    const { req, res, next } = request;
    if (isHttp2(req)) return refuseHttp2(req, res, next, logger);
    if (isBehindOthers(req, res)) return waitForTurn(req, res, () => enterApart(request, answer));
    const compiled = request.compiled();
    const target = readRequestTarget(req.url ?? "") ?? { path: "/", query: undefined, authority: undefined };
    const match = { value: compiled, placeholders: {}, path: target.path };
    const exchange = begin({ match, target }, req, res, next);
    if (exchange === undefined) return;
    const fail = (error: unknown): void => failExchange(exchange, error, next, logger);
    track(exchange, fail);
    try {
      const refusal = findOverload(request.concurrent()) ?? findRefusal(exchange, target, req);
      if (refusal === undefined) runGuards(compiled.pipeline.guards, exchange, { pass, fail });
      else fail(refusal);
    } catch (error) {
      fail(error);
    }

    function pass(): void {
      void Promise.resolve(answer(exchange!, fail)).catch(fail);
    }
  };
}
