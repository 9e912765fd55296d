export { openTelemetry, type OpenTelemetryOptions } from "./observe/opentelemetry.ts";
