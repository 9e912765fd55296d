import { readFileSync } from "node:fs";
import { findNodeAtLocation, getNodeValue, type Node, parseTree } from "jsonc-parser";
import type { Identity } from "../../src/index.ts";

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
  /** The lines of a watch, and the milliseconds between them. */
  stream?: readonly (string | Readonly<{ wait: number }>)[];
  contentLength?: number;
  abort?: boolean;
  abortAfterBody?: boolean;
  tls?: boolean;
  protocols?: "http1" | "http2" | "http1and2";
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
  /** The client leaves after so long. */
  abortAfterMs?: number;
}>;

/** Headers have lower-case names, and come without date, server, connection and framing. */
export type TraceAnswer = Readonly<{
  status: number;
  reason?: string;
  /** Whether it breaks off: then its body may be any beginning. */
  truncated?: boolean;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
}>;

export type TraceArrival = Readonly<{
  at: string;
  method: string;
  target: string;
  headers: Readonly<Record<string, string | readonly string[]>>;
  body?: string;
  /** Of a long body. */
  bodyLength?: number;
  bodySha256?: string;
}>;

export type TraceExchange = Readonly<{
  request: TraceRequest;
  answer: TraceAnswer;
  arrived: readonly TraceArrival[];
  /** When it was sent here, and when its answer was there. */
  between?: readonly [sentAt: number, answeredAt: number];
}>;

/** Requests at the same time; what arrived meanwhile stands at the last one, sorted. */
export type TraceParallel = Readonly<{
  parallel: readonly (TraceExchange & Readonly<{ startAfterMs: number }>)[];
}>;

export type TraceStep =
  | TraceExchange
  | TraceParallel
  | Readonly<{ wait: number; arrivedMeanwhile?: readonly TraceArrival[] }>
  | Readonly<{ clearRegion: string }>
  | Readonly<{ writeFile: Readonly<Record<string, string>> }>
  | Readonly<{ downstream: Readonly<Record<string, "stop" | "start">> }>;

/** What a client got that left before there was an answer. */
export const noAnswer: TraceAnswer = { status: 0, headers: {}, body: "" };

/** What arrived of requests that ran at the same time, in an order that does not depend on them. */
export function sortArrivals(arrived: readonly TraceArrival[]): readonly TraceArrival[] {
  return arrived.toSorted((one, other) => compareTexts(one.at + one.target, other.at + other.target));
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** What a handler of the recorded host did; a name with `#` is one more registration. */
export type TraceHandler = Readonly<{
  appendOrder?: string;
  stampInstance?: string;
  throw?: string;
  global?: boolean;
  times?: number;
  request?: Readonly<{ set?: Record<string, string>; host?: string; dropBody?: boolean }>;
  response?: Readonly<{
    set?: Record<string, string>;
    setContent?: Record<string, string>;
    remove?: readonly string[];
    status?: number;
    body?: string;
    bodyType?: string;
  }>;
  answer?: Readonly<{ status: number; reason?: string; headers?: Record<string, string>; body?: string }>;
  returnNull?: boolean;
}>;

/** A scheme of signed tokens that the recorded host had; without an audience none was checked. */
export type TraceJwt = Readonly<{
  key: string;
  issuer: string;
  audience?: string;
  clockSkewSeconds?: number;
  tokenFromQuery?: string;
}>;

/** A scheme of the recorded host's own: it looked for a key in a header, or failed. */
export type TraceScheme = Readonly<{ header?: string; keys?: Record<string, Identity["claims"]>; throws?: boolean }>;

/** A token: its claims as JSON text, with `now+N` for seconds from now, and what is odd about its signature. */
export type TraceToken = Readonly<{ claims: string; sign: TraceSignature }>;

/** By what a token is signed instead of the first scheme's key, or how its signature is spoilt. */
export type TraceSignature = Readonly<{ scheme?: string; key?: string; alg?: "none"; tamper?: boolean }>;

/** How the recorded host put several files together, and what it read besides. */
export type TraceMerge = Readonly<{
  folder?: string;
  reloadOnChange?: boolean;
  then?: readonly string[];
  call?: "AddOcelot()" | "AddJsonFile";
  jsonFiles?: readonly string[];
}>;

/** An instance that the recorded host's own provider told; the port is a text that is filled. */
export type TraceInstance = Readonly<{ host: string; port: string; scheme?: "http" | "https" }>;

/** What a provider of the recorded host's own told, by `name` or `namespace.name`. */
export type TraceTable = Readonly<{ type: string; services: Readonly<Record<string, readonly TraceInstance[]>> }>;

/** What the recorded host had registered in code. */
export type TraceSetup = Readonly<{
  /** A list of names where each sets a header of its own. */
  handlers?: Readonly<Record<string, TraceHandler>> | readonly string[];
  aggregators?: readonly string[];
  jwt?: Readonly<Record<string, TraceJwt>>;
  schemes?: Readonly<Record<string, TraceScheme>>;
  metadataHandler?: boolean;
  /** Whether a handler throws where a request says so. */
  throwingHandler?: boolean;
  /** Placeholders of header transforms, in braces, and their texts. */
  placeholders?: Readonly<Record<string, string>>;
  /** The address that the host listens on. */
  listen?: string;
  /** How the host put several files together. */
  merge?: TraceMerge;
  /** The name of its environment. */
  env?: string;
  /** Whether the host believes the last address of X-Forwarded-For. */
  forwardedHeaders?: boolean;
  /** A provider of the host's own: a table, or the downstreams by the names of services. */
  discovery?: TraceTable | Readonly<Record<string, string>>;
  /** Whether the host knew Consul, and what it changed about it. */
  consul?: true | Readonly<{ serviceBuilder?: "Address"; storeConfig?: boolean }>;
  /** Whether the host knew Kubernetes. */
  kube?: "options";
}>;

/** One recorded case: a configuration, what the host had registered, and what came of some requests. */
export type Trace = Readonly<{
  id: string;
  /** `same`, or the number of the difference that is made on purpose. */
  judged: string;
  about: string;
  /** As it was written, since numbers such as 2.0 would lose what they were. */
  config: string;
  /** Where it was several: their texts by name. */
  files?: Readonly<Record<string, string>>;
  setup?: TraceSetup;
  tokens: Readonly<Record<string, TraceToken>>;
  downstreams: Readonly<Record<string, TraceDownstream>>;
  startError?: string;
  steps?: readonly TraceStep[];
}>;

// A trace that describes no downstream has these, as far as it names them.
const usualDownstreams = ["A", "B"];

/** Reads the recorded cases of one area. */
export function readTraces(area: string): readonly Trace[] {
  const text = readFileSync(new URL(`../fixtures/vectors/policies/${area}.json`, import.meta.url), "utf8");
  return parseTree(text)!.children!.map((node) => {
    const { downstreams = usualOf(textOf(node, text)), ...trace } = getNodeValue(node) as Omit<Trace, "downstreams"> &
      Partial<Trace>;
    const config = findNodeAtLocation(node, ["config"]);
    const files = findNodeAtLocation(node, ["files"]);
    const steps = findNodeAtLocation(node, ["steps"])?.children ?? [];
    const tokens = findNodeAtLocation(node, ["tokens"])?.children ?? [];
    return {
      ...trace,
      ...(files === undefined ? {} : { files: readTexts(files, text) }),
      ...(trace.steps === undefined ? {} : { steps: steps.map((step) => readStep(step, text)) }),
      downstreams,
      config: config === undefined ? "{}" : textOf(config, text),
      tokens: Object.fromEntries(tokens.map(({ children }) => [children![0]!.value, readToken(children![1]!, text)])),
    };
  });
}

/** A file is the text of what it holds, or the value of a text that is no JSON as it is written. */
function readTexts({ children = [] }: Node, text: string): Readonly<Record<string, string>> {
  const pairs = children.map(({ children: pair }) => {
    const [name, content] = pair as [Node, Node];
    return [name.value, content.type === "string" ? content.value : textOf(content, text)] as const;
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

type WrittenExchange = Omit<TraceExchange, "answer"> & Readonly<{ answer: TraceAnswer | null }>;
type WrittenWebSocket = Readonly<{ websocket: Readonly<{ path: string }>; arrived: readonly TraceArrival[] }>;
type WrittenStep =
  | WrittenWebSocket
  | WrittenExchange
  | Readonly<{ parallel: readonly WrittenExchange[]; arrived: readonly TraceArrival[] }>
  | Exclude<TraceStep, TraceExchange | TraceParallel>;

/** A client that left got nothing; what arrived of several requests stands at the last of them. */
function readStep(node: Node, text: string): TraceStep {
  const step = getNodeValue(node) as WrittenStep;
  const written = findNodeAtLocation(node, ["writeFile"]);
  if (written !== undefined) return { writeFile: readTexts(written, text) };
  if ("request" in step) {
    return { ...step, answer: withText(step.answer ?? noAnswer), arrived: withoutRegistries(step.arrived) };
  }
  if ("websocket" in step) return readWebSocket(step);
  if ("wait" in step && withoutRegistries(step.arrivedMeanwhile ?? []).length === 0) return { wait: step.wait };
  if (!("parallel" in step)) return step;
  const { parallel, arrived } = step;
  return {
    parallel: parallel.map((exchange, index) => ({
      ...(exchange as TraceParallel["parallel"][number]),
      answer: exchange.answer ?? noAnswer,
      arrived: index === parallel.length - 1 ? sortArrivals(arrived) : [],
    })),
  };
}

const registries: readonly string[] = ["CONSUL", "K8S"];

/** Whether a downstream is a registry: when and what it is asked is each gateway's own. */
export function isRegistry(name: string): boolean {
  return registries.includes(name);
}

function withoutRegistries(arrived: readonly TraceArrival[]): readonly TraceArrival[] {
  return arrived.filter(({ at }) => !isRegistry(at));
}

/** Bytes that are no text are compared as what they are read as. */
function withText(answer: TraceAnswer & Readonly<{ bodyBase64?: string }>): TraceAnswer {
  const { bodyBase64, ...others } = answer;
  return bodyBase64 === undefined ? others : { ...others, body: Buffer.from(bodyBase64, "base64").toString("utf8") };
}

/** A WebSocket is opened by a request. */
function readWebSocket(step: WrittenWebSocket): TraceExchange {
  const request = { method: "GET", path: step.websocket.path, headers: upgradeHeaders };
  return { request, answer: { status: 101, headers: {}, body: "" }, arrived: step.arrived };
}

/** What asks for a WebSocket. */
export const upgradeHeaders = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

function usualOf(trace: string): Trace["downstreams"] {
  const named = usualDownstreams.filter((name) => trace.includes(`{{${name}}}`) || trace.includes(`"${name}"`));
  return Object.fromEntries(named.map((name) => [name, {}]));
}

/** Claims stay the text that they are, since 1.0 and integers of many digits would become other ones. */
function readToken(token: Node, text: string): TraceToken {
  const sign = findNodeAtLocation(token, ["$sign"]);
  const claims = token.children!.filter(({ children }) => children![0]!.value !== "$sign");
  return {
    claims: `{${claims.map((claim) => textOf(claim, text)).join()}}`,
    sign: sign === undefined ? {} : (getNodeValue(sign) as TraceSignature),
  };
}

function textOf({ offset, length }: Node, text: string): string {
  return text.slice(offset, offset + length);
}
