import compression from "compression";
import { inspector, parseConfig } from "../../src/index.ts";
import { bodyParsers, createExpress, createServer } from "../everything-on/create-apps.ts";
import { createGatewayEverythingOn, type GatewaySettings } from "../everything-on/create-gateway.ts";
import { createTelemetry, type Tally } from "../everything-on/telemetry.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import { configFor, guard } from "./conformance-gateway.ts";

/** A gateway with the routes of the table and everything on. */
export type EverythingOn = Readonly<{
  port: number;
  tally: Tally;
  /** Errors in the log. */
  errors: readonly string[];
  close: () => Promise<void>;
}>;

/** Whatever the answer, and whoever does not say what it takes. */
const compressAll = compression({ threshold: 0, filter: () => true, enforceEncoding: "gzip" });

/** Starts one, in an app that compresses every answer and parses bodies. */
export async function startEverythingOn(
  settings: Pick<GatewaySettings, "engine" | "responder">,
  upstreamPort: number,
): Promise<EverythingOn> {
  const telemetry = createTelemetry();
  const errors: string[] = [];
  const ignore = () => undefined;
  const error = (_fields: object, message: string): void => void errors.push(message);
  const logger = { error, warn: ignore, info: ignore, debug: ignore };
  const gateway = createGatewayEverythingOn({
    ...settings,
    config: parseConfig(configFor(upstreamPort, { RequestIdKey: "X-Request-Id", Timeout: 5 }), { logger: false }),
    observers: telemetry.observers,
    logger,
    middleware: [guard],
  });
  const inspect = inspector(gateway);
  const app = createExpress(gateway, { inspect, logger, trust: false, before: [compressAll, ...bodyParsers] });
  const server = createServer(app, logger);
  return { port: await listen(server), tally: telemetry.tally, errors, close };

  async function close(): Promise<void> {
    await gateway.close({ grace: 0 });
    await closeServer(server);
    await telemetry.stop();
  }
}
