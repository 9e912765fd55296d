import { readFileSync } from "node:fs";
import { getNodeValue, type Node, parseTree } from "jsonc-parser";

/** How a recorded downstream answers; what `perCall` and `byPath` hold is laid over the rest. */
export type TraceDownstream = Readonly<{
  status?: number;
  reason?: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
  bodyBase64?: string;
  bodyRepeat?: readonly [text: string, times: number];
  json?: unknown;
  echo?: boolean;
  delayMs?: number;
  bodyDelayMs?: number;
  chunked?: boolean;
  parts?: number;
  partDelayMs?: number;
  contentLength?: number;
  abort?: boolean;
  abortAfterBody?: boolean;
  refuse?: boolean;
  down?: boolean;
  perCall?: readonly TraceDownstream[];
  byPath?: Readonly<Record<string, TraceDownstream>>;
}>;

export type TraceRequest = Readonly<{
  method: string;
  path: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
  chunkedBody?: string;
  bodyRepeat?: readonly [text: string, times: number];
  token?: string;
  from?: string;
  to?: string;
  timeoutMs?: number;
}>;

/** Headers have lower-case names, and come without date, server, connection and framing. */
export type TraceAnswer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
}>;

export type TraceArrival = Readonly<{
  at: string;
  method: string;
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
}>;

export type TraceExchange = Readonly<{ request: TraceRequest; answer: TraceAnswer; arrived: readonly TraceArrival[] }>;

export type TraceStep = TraceExchange | Readonly<{ wait: number }>;

/** What a handler of the recorded host did; a name with `#` is one more registration. */
export type TraceHandler = Readonly<{
  appendOrder?: string;
  stampInstance?: string;
  throw?: string;
  global?: boolean;
  times?: number;
}>;

/** One recorded case: a configuration, what the host had registered, and what came of some requests. */
export type Trace = Readonly<{
  id: string;
  /** `same`, or the number of the difference that is made on purpose. */
  judged: string;
  about: string;
  /** As it was written, since numbers such as 2.0 would lose what they were. */
  config: string;
  setup?: Readonly<{ handlers?: Readonly<Record<string, TraceHandler>>; metadataHandler?: boolean }>;
  downstreams: Readonly<Record<string, TraceDownstream>>;
  startError?: string;
  steps?: readonly TraceStep[];
}>;

// Those of a trace that describes none.
const usualDownstreams: Trace["downstreams"] = { A: {}, B: {} };

/** Reads the recorded cases of one area. */
export function readTraces(area: string): readonly Trace[] {
  const text = readFileSync(new URL(`../fixtures/vectors/policies/${area}.json`, import.meta.url), "utf8");
  return parseTree(text)!.children!.map((node) => {
    const trace = getNodeValue(node) as Omit<Trace, "downstreams"> & Partial<Pick<Trace, "downstreams">>;
    return { ...trace, downstreams: trace.downstreams ?? usualDownstreams, config: textOf(node, "config", text) };
  });
}

function textOf(node: Node, name: string, text: string): string {
  const value = node.children!.find(({ children }) => children![0]!.value === name)?.children![1];
  return value === undefined ? "{}" : text.slice(value.offset, value.offset + value.length);
}
