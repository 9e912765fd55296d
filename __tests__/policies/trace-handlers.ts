import { createAnswer, type DelegatingHandler, type Headers, type UpstreamResponse } from "../../src/index.ts";
import type { TraceHandler, TraceSetup } from "./trace.ts";

/** The handlers that the recorded host had registered, as options of ours. */
export function toHandlers({
  handlers: registered = {},
  metadataHandler = false,
  throwingHandler = false,
}: TraceSetup): {
  handlers: readonly DelegatingHandler[];
  namedHandlers: Readonly<Record<string, DelegatingHandler>>;
} {
  const described = Array.isArray(registered) ? Object.fromEntries(registered.map(withOwnHeader)) : registered;
  const recorded = Object.entries(described as Readonly<Record<string, TraceHandler>>).map(([name, handler]) => {
    return { name: name.split("#", 1)[0]!, handler };
  });
  // A name is one handler, however often it was registered.
  const namedHandlers = Object.fromEntries(recorded.map(({ name, handler }) => [name, toHandler(name, handler)]));
  const globalNames = recorded.filter(({ handler }) => handler.global ?? false).map(({ name }) => name);
  const handlers = [...new Set(globalNames)].map((name) => namedHandlers[name]!);
  const more = [...(metadataHandler ? [tellMetadata] : []), ...(throwingHandler ? [throwWhereAsked] : [])];
  return { namedHandlers, handlers: [...handlers, ...more] };
}

/** One that is known by its name alone, and whether it is for all routes. */
function withOwnHeader(registered: string): readonly [string, TraceHandler] {
  const [name = "", reach] = registered.split(":", 2);
  return [name, { global: reach === "global", request: { set: { [`x-${name.toLowerCase()}`]: "1" } } }];
}

function toHandler(name: string, recorded: TraceHandler): DelegatingHandler {
  let calls = 0;
  return async function recordedHandler(outgoing, next) {
    calls += 1;
    if (recorded.throw !== undefined) throw Object.assign(new Error(recorded.throw), { name: recorded.throw });
    if (recorded.returnNull === true) return null as never;
    if (recorded.answer !== undefined) return toAnswer(recorded.answer);
    changeRequest(outgoing, recorded, { name, calls });
    const answer = await next();
    changeAnswer(answer, recorded, name);
    return answer;
  };
}

const textType = "text/plain; charset=utf-8";

function toAnswer({ status, reason, headers = {}, body }: NonNullable<TraceHandler["answer"]>): UpstreamResponse {
  const type = body === undefined ? {} : { "content-type": textType };
  const answer = createAnswer({ status, headers: { ...type, ...headers }, body: body ?? null });
  if (reason !== undefined) answer.statusText = reason;
  return answer;
}

type Call = Readonly<{ name: string; calls: number }>;

function changeRequest(
  outgoing: Parameters<DelegatingHandler>[0],
  { appendOrder, stampInstance, request = {} }: TraceHandler,
  { name, calls }: Call,
): void {
  const { headers } = outgoing;
  if (appendOrder !== undefined) sign(headers, appendOrder.toLowerCase(), name);
  if (stampInstance !== undefined) headers[stampInstance.toLowerCase()] = `${name}#1 call ${calls}`;
  setAll(headers, request.set);
  if (request.host !== undefined) headers.host = request.host;
  if (request.dropBody !== true) return;
  outgoing.body = null;
  delete headers["content-type"];
}

function changeAnswer(answer: UpstreamResponse, { appendOrder, response = {} }: TraceHandler, name: string): void {
  const { headers } = answer;
  if (appendOrder !== undefined) sign(headers, appendOrder.toLowerCase(), name);
  if (response.status !== undefined) answer.status = response.status;
  if (response.body !== undefined) {
    answer.body = response.body;
    headers["content-type"] = response.bodyType ?? textType;
  }
  for (const removed of response.remove ?? []) Reflect.deleteProperty(headers, removed.toLowerCase());
  setAll(headers, response.set);
  setAll(headers, response.setContent);
}

function setAll(headers: Headers, values: Readonly<Record<string, string>> = {}): void {
  for (const [header, value] of Object.entries(values)) headers[header.toLowerCase()] = value;
}

function sign(headers: Headers, header: string, name: string): void {
  const before = headers[header];
  headers[header] = before === undefined ? name : `${String(before)}>${name}`;
}

/** As the recorded host told it: in the order of the keys, null as nothing. */
const tellMetadata: DelegatingHandler = function tellMetadata(outgoing, next, { route }) {
  const pairs = Object.entries(route.metadata).toSorted(([one], [other]) => (one < other ? -1 : 1));
  outgoing.headers["x-metadata"] = pairs.map(([key, value]) => `${key}=${value ?? ""}`).join(";");
  return next();
};

const throwWhereAsked: DelegatingHandler = async function throwWhereAsked(outgoing, next) {
  if (outgoing.headers["x-throw"] !== undefined) throw new Error("The request asks for it.");
  return next();
};
