import "./refuse-old-node.ts";

export { openTelemetry, type OpenTelemetryOptions } from "./observing/opentelemetry.ts";
