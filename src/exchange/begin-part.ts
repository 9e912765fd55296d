import type { IncomingHttpHeaders } from "node:http";
import { outlast } from "../bodies/with-code/outlast-exchange.ts";
import { createInnerCancellation } from "../cancellation.ts";
import type { CompiledPart } from "../compiling/compiled-route.ts";
import type { Exchange } from "./exchange.ts";
import { ownHeaders } from "../headers/own-value.ts";
import { createContext } from "./gateway-context.ts";
import type { PartObservation } from "../observing/observer.ts";
import { exposeToPart, type LocalsOfPart } from "./locals-of-part.ts";

/** What a part begins with: the request's headers as they were at the match, and values that the client has not sent. */
type PartBeginning = Readonly<{
  headers: IncomingHttpHeaders;
  values: Readonly<Record<string, string>>;
}>;

/** The call of a part on its way through the gateway. */
export type PartExchange = Exchange & { observation: PartObservation | undefined; readonly locals: LocalsOfPart };

/** Begins one call of an aggregate's part: until its middleware is done, the client's request is the part's. */
export function beginPart(
  whole: Exchange,
  { compiled, names }: CompiledPart,
  { headers, values }: PartBeginning,
): PartExchange {
  const { context, matched } = whole;
  const { req, res, requestId } = context;
  const { route } = compiled;
  const captured = pick(matched.values.captured, names);
  const placeholders = Object.assign(Object.create(null) as Record<string, string>, captured, values);
  const cancellation = createInnerCancellation(outlast(whole));
  whole.foundByParts ??= [];
  req.headers = ownHeaders(headers);
  req.rawHeaders = [...req.rawHeaders];
  const locals = exposeToPart(req, res, { route, placeholders, requestId });
  return {
    ...whole,
    compiled,
    uploadLimit: compiled.limits.upload,
    cancellation,
    bodiesWithCode: undefined,
    matched: { ...matched, values: { captured, current: placeholders } },
    context: createContext({ req, res, route, placeholders, requestId }, cancellation),
    observation: undefined,
    announced: undefined,
    // What one part tells is on the answer of all.
    isSeen: true,
    locals,
    restore: locals.takeBack,
  };
}

function pick(values: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const known = names.filter((name) => Object.hasOwn(values, name));
  return Object.fromEntries(known.map((name) => [name, values[name]!]));
}
