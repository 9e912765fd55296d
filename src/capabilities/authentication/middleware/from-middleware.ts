import type { NextFunction, Request, Response } from "express";
import { GatewayError } from "../../../errors.ts";
import type { Identity } from "../../../identity/identity.ts";
import { isPromise } from "../../../when-rejected.ts";
import type { Authenticator, AuthenticatorContext } from "../authenticator.ts";
import { holdExchange, type Outcome } from "./hold-exchange.ts";
import { findTrial, type Trial } from "./trial.ts";

/** Middleware that finds out who is asking: any that runs in Express, or a router of several. */
export type IdentifyingMiddleware = (req: Request, res: Response, next: NextFunction) => unknown;

/** The claims of whom middleware has recognised, read from where it has put them; without a `sub` it is nobody. */
export type ToClaims = (req: Request) => Claims | Promise<Claims>;

type Claims = object | undefined | null;

const mostParameters = 3;

/** Makes a scheme out of middleware: who gets to `next()`, and has claims with a `sub`, is recognised. */
export function fromMiddleware(handler: IdentifyingMiddleware, toClaims: ToClaims): Authenticator {
  requireFunctions(handler, toClaims);
  return function authenticateByMiddleware(_req, context) {
    const trial = requireTrial(context);
    const { outcome, req } = holdExchange(trial, (heldReq, heldRes, next) =>
      handler(heldReq as Request, heldRes as Response, next),
    );
    return outcome instanceof Promise ? outcome.then(conclude) : conclude(outcome);

    function conclude(known: Outcome): ReturnType<Authenticator> {
      if (known.kind === "failed") throw known.error;
      if (known.kind === "nobody") return undefined;
      const claims = toClaims(req as Request);
      return isPromise(claims) ? (claims as Promise<Claims>).then(identityOf) : identityOf(claims);
    }
  };
}

/** Claims are what JSON can write; whatever else an application keeps of a user is left out. */
function identityOf(told: Claims): Identity | undefined {
  const claims = (JSON.parse(JSON.stringify(told ?? {})) ?? {}) as Identity["claims"];
  const sub = Object.hasOwn(claims, "sub") ? claims.sub : undefined;
  if (sub === undefined || sub === null || sub === "") return undefined;
  if (typeof sub !== "string") throw new TypeError(`Its claims have a "sub" that is ${typeof sub}: expected a text.`);
  return { id: sub, claims };
}

function requireTrial(context: AuthenticatorContext | undefined): Trial {
  const trial = findTrial(context);
  if (trial !== undefined) return trial;
  throw new TypeError("A scheme of fromMiddleware() was called with another context than the gateway's: hand that on.");
}

function requireFunctions(handler: unknown, toClaims: unknown): void {
  const isHandler = typeof handler === "function" && handler.length <= mostParameters;
  if (isHandler && typeof toClaims === "function") return;
  const lacking = isHandler
    ? "the function that reads claims from the request, as its second argument"
    : "middleware (req, res, next), as its first argument; several go into one express.Router()";
  throw new GatewayError("option-invalid", `fromMiddleware() takes ${lacking}.`);
}
