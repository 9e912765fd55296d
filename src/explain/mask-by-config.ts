import type { GatewayConfig } from "../config/gateway-config.ts";
import { type RedactingRoute, redactUrl } from "../secrets/redact.ts";
import { redactingRoute } from "../secrets/redacting-route.ts";
import type { Explanation } from "./explanation.ts";
import { maskExplanation } from "./mask-explanation.ts";

/** An explanation by a configuration, as it may be shown. */
export function maskByConfig({ routes }: GatewayConfig, explanation: Explanation): Explanation {
  return maskExplanation(explanation, (text, index) =>
    redactUrl(text, index === undefined ? noRoute : redactingRoute(routes[index]!)),
  );
}

const noRoute: RedactingRoute = { upstreamPathTemplate: "/", downstreamPathTemplate: "/" };
