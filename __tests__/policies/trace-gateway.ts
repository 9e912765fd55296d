import express from "express";
import { createGateway, type DelegatingHandler, type Gateway, parseConfig, problemDetails } from "../../src/index.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import type { Trace, TraceHandler } from "./trace.ts";

/** The ways in which a gateway is mounted for the traces. */
export const mountings = {
  "node:http": (gateway: Gateway) => gateway,
  Express: (gateway: Gateway) =>
    express()
      .disable("x-powered-by")
      .use(gateway)
      .use(problemDetails({ logger: false })),
} as const;

/** The name of a way to mount a gateway. */
export type Mounting = keyof typeof mountings;

/** Starts the gateway of a trace: what the recorded host had registered becomes options of ours. */
export async function startTraceGateway(
  { setup = {} }: Trace,
  config: string,
  mounting: Mounting,
): Promise<RunningGateway> {
  const recorded = Object.entries(setup.handlers ?? {}).map(([registered, handler]) => {
    return { name: registered.split("#", 1)[0]!, handler };
  });
  // A name is one handler, however often it was registered.
  const namedHandlers = Object.fromEntries(recorded.map(({ name, handler }) => [name, toHandler(name, handler)]));
  const globalNames = recorded.filter(({ handler }) => handler.global ?? false).map(({ name }) => name);
  const handlers = [...new Set(globalNames)].map((name) => namedHandlers[name]!);
  const gateway = createGateway(parseConfig(config, { logger: false }), {
    logger: false,
    namedHandlers,
    handlers: setup.metadataHandler === true ? [...handlers, tellMetadata] : handlers,
  });
  return serve(mountings[mounting](gateway), gateway);
}

function toHandler(name: string, { appendOrder, throw: exception }: TraceHandler): DelegatingHandler {
  return async function recordedHandler(outgoing, next) {
    if (exception !== undefined) throw new Error(exception);
    if (appendOrder === undefined) return next();
    sign(outgoing.headers, appendOrder.toLowerCase(), name);
    const answer = await next();
    sign(answer.headers, appendOrder.toLowerCase(), name);
    return answer;
  };
}

function sign(headers: Record<string, string | string[]>, header: string, name: string): void {
  const before = headers[header];
  headers[header] = before === undefined ? name : `${String(before)}>${name}`;
}

/** As the recorded host told it: in the order of the keys, null as nothing. */
const tellMetadata: DelegatingHandler = function tellMetadata(outgoing, next, { route }) {
  const pairs = Object.entries(route.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  outgoing.headers["x-metadata"] = pairs.map(([key, value]) => `${key}=${value ?? ""}`).join(";");
  return next();
};
