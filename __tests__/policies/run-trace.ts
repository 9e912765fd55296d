import { ConfigError, GatewayError } from "../../src/index.ts";
import { sendTraceRequest } from "./send-trace-request.ts";
import type { Trace, TraceArrival, TraceExchange, TraceStep } from "./trace.ts";
import { type RunningDownstream, startDownstream } from "./trace-downstream.ts";
import { type Mounting, startTraceGateway } from "./trace-gateway.ts";

/** What came of a trace here: a refusal to start, or what each request got and led to. */
export type Outcome = Readonly<{ starts: false } | { starts: true; exchanges: readonly TraceExchange[] }>;

/** Runs a trace through real sockets. */
export async function runTrace(trace: Trace, mounting: Mounting): Promise<Outcome> {
  const arrived: TraceArrival[] = [];
  const ports = new Map<string, number>();
  const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => fillPort(all, name));
  const downstreams: RunningDownstream[] = [];
  for (const [name, described] of Object.entries(trace.downstreams)) {
    const running = await startDownstream(name, described, { arrived: (arrival) => arrived.push(arrival), fill });
    downstreams.push(running);
    ports.set(name, running.port);
  }
  try {
    return await runSteps(trace, mounting, { arrived, fill });
  } finally {
    await Promise.all(downstreams.map(({ close }) => close()));
  }

  function fillPort(all: string, name: string): string {
    return String(ports.get(name) ?? all);
  }
}

type Surroundings = Readonly<{ arrived: TraceArrival[]; fill: (text: string) => string }>;

async function runSteps(trace: Trace, mounting: Mounting, { arrived, fill }: Surroundings): Promise<Outcome> {
  const started = await startTraceGateway(trace, fill(trace.config), mounting).catch(refusalOf);
  if (started === undefined) return { starts: false };
  const exchanges: TraceExchange[] = [];
  try {
    for (const { request } of exchangesOf(trace)) {
      const answer = await sendTraceRequest(started.port, JSON.parse(fill(JSON.stringify(request))) as typeof request);
      exchanges.push({ request, answer, arrived: arrived.splice(0) });
    }
  } finally {
    await started.close();
  }
  return { starts: true, exchanges };
}

/** A start may fail because of the configuration, and because of nothing else. */
function refusalOf(error: unknown): undefined {
  if (!(error instanceof ConfigError || error instanceof GatewayError)) throw error;
}

/** The requests of a trace; a step of another kind needs a runner that knows it. */
export function exchangesOf({ id, steps = [] }: Trace): TraceExchange[] {
  return steps.map((step: TraceStep) => {
    if ("request" in step) return step;
    throw new Error(`The trace ${id} has a step that cannot be run yet: ${Object.keys(step).join(", ")}.`);
  });
}
