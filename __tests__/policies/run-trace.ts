import { setTimeout as wait } from "node:timers/promises";
import { ConfigError, GatewayError } from "../../src/index.ts";
import { sendTraceRequest } from "./send-trace-request.ts";
import { createTraceClients } from "./trace-clients.ts";
import { createTestClock, type TraceClock } from "./trace-clock.ts";
import {
  isRegistry,
  sortArrivals,
  type Trace,
  type TraceArrival,
  type TraceDownstream,
  type TraceExchange,
  type TraceParallel,
  type TraceRequest,
  type TraceStep,
} from "./trace.ts";
import { type RunningDownstream, startDownstream } from "./trace-downstream.ts";
import { startTraceKubernetes } from "./trace-kubernetes.ts";
import { type Mounting, startTraceGateway } from "./trace-gateway.ts";
import { signTokens } from "./trace-tokens.ts";
import { fillTexts, type TraceValues } from "./trace-values.ts";

/** What came of a trace here: a refusal to start, or what each request got and led to; what `{{A}}` and others were. */
export type Outcome = Readonly<
  { starts: false; refusal: Error } | { starts: true; exchanges: readonly TraceExchange[] }
> &
  Readonly<{ values: TraceValues }>;

type Run = Readonly<{
  trace: Trace;
  mounting: Mounting;
  clock: TraceClock;
  values: TraceValues;
  arrived: TraceArrival[];
  downstreams: readonly RunningDownstream[];
}>;

/** In these areas the recorded downstreams answered nothing unless they were told what. */
const saysNothing = /^(cf|dy)-/;

/** Runs a trace through real sockets. */
export async function runTrace(trace: Trace, mounting: Mounting, clock = createTestClock()): Promise<Outcome> {
  const arrived: TraceArrival[] = [];
  const tokens = Object.entries(await signTokens(trace));
  const values = new Map(tokens.map(([name, token]) => [`token:${name}`, token]));
  const downstreams: RunningDownstream[] = [];
  for (const [name, described] of Object.entries(trace.downstreams)) {
    const running = await start(name, described);
    downstreams.push(running);
    values.set(name, String(running.port));
  }
  try {
    return await runSteps({ trace, mounting, clock, values, arrived, downstreams });
  } finally {
    await Promise.all(downstreams.map(({ close }) => close()));
  }

  function start(name: string, described: TraceDownstream): Promise<RunningDownstream> {
    if (name === "K8S") return startTraceKubernetes(name, described, values);
    const note = (arrival: TraceArrival): unknown => isRegistry(name) || arrived.push(arrival);
    const usualBody = saysNothing.test(trace.id) ? "" : `from ${name}`;
    return startDownstream(name, described, { arrived: note, values, usualBody });
  }
}

async function runSteps({ trace, mounting, clock, values, arrived, downstreams }: Run): Promise<Outcome> {
  const started = await startTraceGateway(trace, mounting, { values, clock }).catch(refusalOf);
  if (started instanceof Error) return { starts: false, refusal: started, values };
  const { port, close } = started;
  const clients = createTraceClients(clock);
  const exchanges: TraceExchange[] = [];
  try {
    for (const step of stepsOf(trace)) {
      if ("wait" in step) {
        await clock.pass(step.wait);
        if (asksRegistry(trace)) await wait(step.wait);
      } else if ("clearRegion" in step) await started.purge(step.clearRegion);
      else if ("downstream" in step) await turnOnAndOff(step.downstream, downstreams);
      else if ("writeFile" in step) await started.write(step.writeFile);
      else if ("parallel" in step) {
        const together = await Promise.all(step.parallel.map(sendLater));
        const [last] = together.splice(-1);
        exchanges.push(...together, { ...last!, arrived: sortArrivals(arrived.splice(0)) });
      } else {
        const exchange = await send(step);
        await until(() => arrived.length >= step.arrived.length);
        exchanges.push({ ...exchange, arrived: arrived.splice(0) });
      }
    }
  } finally {
    await close();
  }
  return { starts: true, exchanges, values };

  async function sendLater(exchange: TraceParallel["parallel"][number]): Promise<TraceExchange> {
    await wait(exchange.startAfterMs);
    return send(exchange);
  }

  async function send({ request }: TraceExchange): Promise<TraceExchange> {
    const sent = fillTexts(withToken(request), values);
    const sentAt = Date.now();
    const asked = { to: addressOf(trace), ...clients.withHostCookie(sent) };
    const answer = await sendTraceRequest(port, asked, () => arrived.length > 0);
    clients.keep(sent, answer);
    return { request: sent, answer, arrived: [], between: [sentAt, Date.now()] };
  }
}

/** Whether a registry decides when something happens: nobody can turn its clock forward. */
export function asksRegistry({ setup: { consul, kube } = {} }: Trace): boolean {
  return (consul ?? kube) !== undefined;
}

const longestMilliseconds = 1_000;

/** A busy machine may give up an answer before the request has arrived. */
async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; waited < longestMilliseconds && !isSo(); waited += 5) await wait(5);
}

async function turnOnAndOff(
  wanted: Readonly<Record<string, "stop" | "start">>,
  downstreams: readonly RunningDownstream[],
): Promise<void> {
  for (const { name, open, refuse } of downstreams) {
    if (wanted[name] === "start") await open();
    if (wanted[name] === "stop") await refuse();
  }
}

/** A host that listens everywhere is asked by IPv4, as all others are. */
function addressOf({ setup: { listen = "127.0.0.1" } = {} }: Trace): string {
  return listen === "::" ? "127.0.0.1" : listen;
}

function withToken(request: TraceRequest): TraceRequest {
  const { token, headers = {} } = request;
  return token === undefined
    ? request
    : { ...request, headers: { ...headers, Authorization: `Bearer {{token:${token}}}` } };
}

/** A start may fail because of the configuration, and because of nothing else. */
function refusalOf(error: unknown): Error {
  if (!(error instanceof ConfigError || error instanceof GatewayError)) throw error;
  return error;
}

/** The steps of a trace; one of another kind needs a runner that knows it. */
export function stepsOf({ id, steps = [] }: Trace): readonly TraceStep[] {
  for (const step of steps) {
    if ("request" in step || "parallel" in step || "clearRegion" in step || "downstream" in step || "writeFile" in step)
      continue;
    if ("wait" in step && Object.keys(step).length === 1) continue;
    throw new Error(`The trace ${id} has a step that cannot be run yet: ${Object.keys(step).join(", ")}.`);
  }
  return steps;
}

/** The requests of a trace. */
export function exchangesOf(trace: Trace): TraceExchange[] {
  return stepsOf(trace).flatMap((step): readonly TraceExchange[] => {
    if ("parallel" in step) return step.parallel;
    return "request" in step ? [step] : [];
  });
}
