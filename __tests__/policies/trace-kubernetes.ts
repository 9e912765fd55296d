import { setTimeout as wait } from "node:timers/promises";
import {
  createKubernetesSimulator,
  type KubernetesEndpoints,
  type KubernetesSimulator,
} from "../../src/simulator/index.ts";
import type { TraceDownstream } from "./trace.ts";
import { type RunningDownstream, refuseAlways } from "./trace-downstream.ts";
import { fillText, fillTexts, type TraceValues } from "./trace-values.ts";

type Endpoints = Readonly<{
  subsets?: readonly Readonly<{
    addresses: readonly Readonly<{ ip: string }>[];
    ports: readonly Readonly<{ name?: string; port: number | string }>[];
  }>[];
}>;

/** One of the states that a recorded Kubernetes went through, and for how long. */
type State = Readonly<{ enter: (kubernetes: KubernetesSimulator, service: string) => void; milliseconds: number }>;

// What was recorded call by call is told as long.
const betweenCalls = 400;

/**
 * Starts a Kubernetes that knows what the recorded one did: that was asked for Endpoints, which are slices here, and what
 * it answered one call after another comes to pass as time goes by.
 */
export async function startTraceKubernetes(
  name: string,
  described: TraceDownstream,
  values: TraceValues,
): Promise<RunningDownstream> {
  if (described.refuse === true) return refuseAlways(name);
  const kubernetes = createKubernetesSimulator();
  const { port } = await kubernetes.listen();
  const closing = new AbortController();
  for (const [path, how] of Object.entries(described.byPath ?? {})) {
    const [, namespace, service] = /namespaces\/([^/]+)\/endpoints\/([^/]+)$/.exec(path) ?? [];
    if (namespace !== undefined) void play(kubernetes, `${namespace}/${service}`, statesOf(how, values));
  }
  const neither = (): Promise<void> => Promise.reject(new Error(`${name} neither stops nor starts again.`));
  return { name, port, open: neither, refuse: neither, close };

  async function play(...[simulator, service, states]: [KubernetesSimulator, string, readonly State[]]): Promise<void> {
    for (const { enter, milliseconds } of states) {
      if (closing.signal.aborted) return;
      enter(simulator, service);
      await wait(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  function close(): Promise<void> {
    closing.abort();
    return kubernetes.close();
  }
}

function statesOf({ perCall, stream, status, json }: TraceDownstream, values: TraceValues): readonly State[] {
  if (stream !== undefined) return statesOfWatch(stream, values);
  if (perCall !== undefined) return perCall.flatMap((how) => statesOf(how, values));
  if (status !== undefined) {
    return [{ enter: ({ fault }) => fault({ kind: "status", status }), milliseconds: betweenCalls }];
  }
  const slices = toSlices(json as Endpoints, values);
  return [{ enter: (kubernetes, service) => tell(kubernetes, service, slices), milliseconds: betweenCalls }];
}

function tell(kubernetes: KubernetesSimulator, service: string, slices: readonly KubernetesEndpoints[]): void {
  kubernetes.setSlices(service, slices);
  kubernetes.fault();
}

/** The lines of a watch and the time between them; behind the last one the watch ends. */
function statesOfWatch(stream: NonNullable<TraceDownstream["stream"]>, values: TraceValues): readonly State[] {
  const end: State = { enter: ({ endWatches }) => endWatches(), milliseconds: 0 };
  const states = stream.map((entry): State => {
    if (typeof entry !== "string") return { enter: () => undefined, milliseconds: entry.wait };
    const { type, object } = JSON.parse(fillText(entry, values)) as Readonly<{ type: string; object: Endpoints }>;
    if (type === "ERROR") return { enter: ({ endWatches }) => endWatches("Gone"), milliseconds: 0 };
    const slices = type === "DELETED" ? [] : toSlices(object, values);
    return { enter: ({ setSlices }, service) => setSlices(service, slices), milliseconds: 0 };
  });
  return [...states, end];
}

function toSlices({ subsets = [] }: Endpoints, values: TraceValues): readonly KubernetesEndpoints[] {
  return fillTexts(subsets, values).map(({ addresses, ports }) => ({
    addresses: addresses.map(({ ip }) => ip),
    ports: ports.map(({ port, ...others }) => ({ ...others, port: Number(port) })),
  }));
}
