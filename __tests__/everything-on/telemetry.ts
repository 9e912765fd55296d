import { propagation } from "@opentelemetry/api";
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { Registry } from "prom-client";
import { accessLog, type RequestObserver } from "../../src/index.ts";
import { openTelemetry } from "../../src/opentelemetry.ts";
import { prometheusMetrics } from "../../src/prometheus.ts";

/** How many requests were matched, and what was logged of them. */
export type Tally = {
  matched: number;
  left: number;
  lines: number;
  /** How many lines speak of the request with this number, from its parameter `n`. */
  linesOf: Uint8Array;
};

/** Every observer of the package, and one that counts what the others must not miss. */
export type Telemetry = Readonly<{ observers: readonly RequestObserver[]; tally: Tally; stop: () => Promise<void> }>;

/** What exporters in memory keep is dropped each time that so many requests have ended. */
const keptRequests = 1_000;
const numberInPath = /[?&]n=(\d+)/;

/** Makes the observers with the real SDK of OpenTelemetry; `numbers` is how many requests will bear a number. */
export function createTelemetry(numbers = 0): Telemetry {
  const tally: Tally = { matched: 0, left: 0, lines: 0, linesOf: new Uint8Array(numbers) };
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 1_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  );
  const observers = [
    countMatched(tally, forget),
    accessLog({ info: (fields, message) => countLine(tally, JSON.stringify({ ...fields, message })) }),
    prometheusMetrics({ register: new Registry() }),
    openTelemetry({ tracerProvider, meterProvider }),
  ];
  return { observers, tally, stop: () => meterProvider.shutdown() };

  function forget(): void {
    spans.reset();
    metrics.reset();
  }
}

function countMatched(tally: Tally, forget: () => void): RequestObserver {
  const observed = { ended: () => undefined, left: () => void (tally.left += 1) };
  return {
    begin() {
      tally.matched += 1;
      if (tally.matched % keptRequests === 0) forget();
      return observed;
    },
  };
}

function countLine(tally: Tally, line: string): void {
  tally.lines += 1;
  const number = Number(numberInPath.exec(line)?.[1] ?? -1);
  if (number >= 0 && number < tally.linesOf.length) tally.linesOf[number]! += 1;
}
