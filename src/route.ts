import type { NextFunction, Request, Response } from "express";
import type { RouteConfig } from "./config/sections.ts";
import type { RecognisedIdentity } from "./identity/identity.ts";
import type { GetMetadata } from "./capabilities/metadata/get-metadata.ts";

/** A configured route as middleware, handlers and responders see it; one frozen object per route. */
export type Route = Readonly<{
  /** The route's `Key`, else its index as text, and `aggregate-` in front of it where it is an aggregate's. */
  id: string;
  /**
   * `route` for one that is written; `dynamic` for a service that clients reach by the first segment of the path, listed
   * or not; `aggregate` for one that asks several routes.
   */
  kind: "route" | "aggregate" | "dynamic";
  /** The routes that an aggregate asks, in the order of its answer; empty for any other. */
  parts: readonly Route[];
  upstreamPathTemplate: string;
  /** Empty for an aggregate. */
  downstreamPathTemplate: string;
  serviceName: string | undefined;
  /** Global metadata with the route's own over it. */
  metadata: Readonly<Record<string, string | null>>;
  /** Reads a metadata value typed; needs no `this`. */
  getMetadata: GetMetadata;
  /** What was written for this route in the configuration. */
  config: RouteConfig;
}>;

/** What a matched request carries in `res.locals`. */
export type GatewayLocals = Record<string, unknown> & {
  route: Route;
  placeholders: Record<string, string>;
  requestId?: string;
  /** Who is asking; undefined where no scheme was asked or none has recognised anybody. */
  identity?: RecognisedIdentity;
};

/** An Express middleware for matched requests: `res.locals.route` is always there. */
export type GatewayHandler = (req: Request, res: Response<unknown, GatewayLocals>, next: NextFunction) => unknown;
