import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeOrKeep } from "../urls/decode-or-keep.ts";

export type Locals = Record<string, unknown>;

/** A request and a response as Express has them. */
export type LooseRequest = IncomingMessage & { params?: Record<string, unknown> };
export type LooseResponse = ServerResponse & { locals?: Locals };

/** What middleware is shown of a match. */
export type ExposedMatch = Readonly<{
  route: unknown;
  placeholders: Record<string, string>;
  requestId: string | undefined;
}>;

/** Shows middleware a match in `res.locals` and `req.params`; the function that comes back takes it away again. */
export function exposeMatch(req: LooseRequest, res: LooseResponse, exposed: ExposedMatch): () => void {
  const { params } = req;
  const { locals: given } = res;
  const locals = (res.locals ??= {});
  const { route, placeholders, requestId, identity } = locals;
  showMatch(req, locals, exposed);

  return function restore() {
    putBack(locals, { route, placeholders, requestId, identity });
    putBack(res, { locals: given });
    putBack(req, { params });
  };
}

/** Sets what a match has in these locals, and in the parameters of the request. */
export function showMatch(req: LooseRequest, locals: Locals, exposed: ExposedMatch): void {
  // An identity that earlier middleware has set is not what the route's schemes have found out.
  if (locals.identity !== undefined) delete locals.identity;
  locals.route = exposed.route;
  locals.placeholders = exposed.placeholders;
  if (exposed.requestId !== undefined) locals.requestId = exposed.requestId;
  req.params = addDecoded({ ...req.params }, exposed.placeholders);
}

/**
 * Takes over what code has put in the place of `locals.placeholders`, or of what is in there: all that read them know the one
 * object.
 */
export function takePlaceholders(placeholders: Record<string, string>, locals: Locals | undefined): void {
  const given: unknown = locals?.placeholders;
  if (given === placeholders || typeof given !== "object" || given === null) return;
  for (const name of Object.keys(placeholders)) Reflect.deleteProperty(placeholders, name);
  Object.assign(placeholders, given);
  locals!.placeholders = placeholders;
}

/** A member that did not exist before does not exist afterwards. */
export function putBack(owner: object, before: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) Reflect.deleteProperty(owner, name);
    else Reflect.set(owner, name, value);
  }
}

function addDecoded(
  params: Record<string, unknown>,
  placeholders: Readonly<Record<string, string>>,
): Record<string, unknown> {
  for (const name in placeholders) params[name] = decodeOrKeep(placeholders[name]!);
  return params;
}
