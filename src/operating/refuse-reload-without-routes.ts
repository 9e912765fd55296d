import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { GatewayError } from "../errors.ts";

/** Refuses to reload an empty configuration, which is most likely a mistake. */
export function refuseReloadWithoutRoutes(config: GatewayConfig): void {
  if (globalConfigOf(config) === undefined || config.routes.length > 0) return;
  throw new GatewayError(
    "reload-without-routes",
    "The new configuration has no routes: every request would fall through. If that is meant, reload with allowNoRoutes: true.",
  );
}
