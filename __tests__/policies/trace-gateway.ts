import http, { type RequestListener } from "node:http";
import express from "express";
import {
  createGateway,
  type Gateway,
  memoryStore,
  parseConfig,
  problemDetails,
  upgradeThrough,
} from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import type { TraceClock } from "./trace-clock.ts";
import type { Trace, TraceSetup } from "./trace.ts";
import { createTraceFolder, type TraceFolder } from "./trace-folder.ts";
import { toAggregators } from "./trace-aggregators.ts";
import { toHandlers } from "./trace-handlers.ts";
import { toFinders, withUsualProvider } from "./trace-providers.ts";
import { toAuthenticators, withTokenSchemes } from "./trace-schemes.ts";
import { fillText, type TraceValues } from "./trace-values.ts";

/** The ways in which a gateway is mounted for the traces, each with another engine. */
export const mountings = {
  "node:http": { options: () => ({ engine: undiciEngine() }), mount: (gateway: Gateway): RequestListener => gateway },
  Express: {
    options: () => ({}),
    mount: (gateway: Gateway): RequestListener =>
      express()
        .disable("x-powered-by")
        .use(gateway)
        .use(problemDetails({ logger: false })),
  },
} as const;

/** The name of a way to mount a gateway. */
export type Mounting = keyof typeof mountings;

/** The gateway of a trace while it runs. */
export type TraceGateway = Readonly<{
  port: number;
  purge: (region: string) => Promise<void>;
  close: () => Promise<void>;
  write: TraceFolder["write"];
}>;

/** Starts the gateway of a trace: what the recorded host had registered becomes options of ours. */
export async function startTraceGateway(
  trace: Trace,
  mounting: Mounting,
  { values, clock }: Readonly<{ values: TraceValues; clock: TraceClock }>,
): Promise<TraceGateway> {
  const { setup = {}, config, files } = trace;
  const { mount, options } = mountings[mounting];
  const server = http.createServer();
  // A configuration may name the port of the gateway, which must be known first.
  const port = await listen(server, setup.listen);
  values.set("G", String(port));
  const folder = files === undefined ? undefined : await createTraceFolder(trace, values);
  const text = (): string => fillText(withUsualProvider(withTokenSchemes(config, setup), setup), values);
  try {
    const gateway = createGateway(folder === undefined ? parseConfig(text(), { logger: false }) : await folder.load(), {
      logger: false,
      ...toHandlers(setup),
      aggregators: toAggregators(setup),
      ...(clock.isReal ? {} : { store: memoryStore({ now: clock.now }), now: clock.now }),
      authentication: toAuthenticators(setup),
      headerPlaceholders: toPlaceholders(setup),
      discovery: toFinders(setup, values),
      ...(setup.forwardedHeaders === true ? { trustProxy: 1 } : {}),
      ...options(),
    });
    const app = mount(gateway);
    const unwatch = folder?.watch(gateway);
    server.on("request", app).on("upgrade", upgradeThrough(app, { logger: false }));
    return {
      port,
      close,
      purge: (region) => gateway.cache.purge({ region }),
      write: async (others) => folder?.write(others),
    };

    async function close(): Promise<void> {
      unwatch?.();
      await Promise.all([gateway.close({ grace: 0 }), closeServer(server), folder?.remove()]);
    }
  } catch (error) {
    await Promise.all([closeServer(server), folder?.remove()]);
    throw error;
  }
}

function toPlaceholders({ placeholders = {} }: TraceSetup): Record<string, () => string> {
  return Object.fromEntries(
    Object.entries(placeholders).map(([name, text]) => [name.replace(/^\{|\}$/g, ""), () => text]),
  );
}
