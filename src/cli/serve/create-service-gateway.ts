import type { GatewayConfig } from "../../config/gateway-config.ts";
import { GatewayError } from "../../errors.ts";
import { createGatewayWithin, type Gateway } from "../../gateway.ts";
import type { Logger } from "../../logging/logger.ts";
import { accessLog } from "../../observing/access-log.ts";
import type { GatewayOptions } from "../../options/options.ts";
import type { Engine } from "../../forwarding/engines/engine.ts";
import { createHttpProxyMiddlewareEngine } from "../../forwarding/engines/http-proxy-middleware.ts";
import { metadataHeader } from "../../responders/metadata-header.ts";
import { metadataResponder } from "../../responders/metadata-responder.ts";
import { describeSecret } from "../../secrets/describe-secret.ts";
import { memoryStore } from "../../stores/memory-store.ts";
import { UsageError } from "../command.ts";
import { isOwnWorker } from "./own-worker.ts";
import { isPreloaded } from "./preloaded-code.ts";
import { primaryStore } from "./primary-store.ts";
import { type ServeSettings, standardDownloadSeconds } from "./settings.ts";

const responders = { header: metadataHeader, json: metadataResponder } as const;

/** No option says which metadata clients may see; what looks like a secret is never meant for them. */
function select(...entry: Parameters<typeof describeSecret>): boolean {
  return describeSecret(...entry) === undefined;
}

/** Makes the gateway that the options of `waymark serve` ask for. */
export async function createServiceGateway(
  config: GatewayConfig,
  settings: ServeSettings,
  logger: Logger,
): Promise<Gateway> {
  const { metadata, trustProxy } = settings;
  const options: GatewayOptions = {
    logger,
    ...(settings.log === "requests" ? { observers: [accessLog(logger, { identity: settings.logIdentity })] } : {}),
    ...(metadata === undefined ? {} : { responder: responders[metadata]({ select }) }),
    ...(trustProxy === undefined ? {} : { trustProxy }),
    limits: { download: standardDownloadSeconds },
    engine: await createEngine(settings.engine),
  };
  const usual = isOwnWorker ? primaryStore() : memoryStore();
  try {
    return createGatewayWithin({ usual, redisUrl: settings.redis, config, options });
  } catch (error) {
    throw isWrongOption(error) ? new UsageError(error.message) : error;
  }
}

function isWrongOption(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code === "option-invalid";
}

async function createEngine(name: ServeSettings["engine"]): Promise<Engine> {
  const freeBodies = !isPreloaded();
  if (name !== "undici") return createHttpProxyMiddlewareEngine({ freeBodies });
  try {
    const { undiciEngine } = await import("../../undici.ts");
    return undiciEngine({ freeBodies });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError("--engine undici needs the package undici: npm install undici");
  }
}
