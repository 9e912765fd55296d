import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeOrKeep } from "../urls/decode-or-keep.ts";

type LooseRequest = IncomingMessage & { params?: Record<string, unknown> };
type LooseResponse = ServerResponse & { locals?: Record<string, unknown> };

type ExposedMatch = Readonly<{ route: unknown; placeholders: Record<string, string>; requestId: string | undefined }>;

/** Shows middleware a match in `res.locals` and `req.params`; the function that comes back takes it away again. */
export function exposeMatch(req: LooseRequest, res: LooseResponse, exposed: ExposedMatch): () => void {
  const { params } = req;
  const { locals: given } = res;
  const locals = (res.locals ??= {});
  const { route, placeholders, requestId, identity } = locals;
  // An identity that earlier middleware has set is not what the route's schemes have found out.
  if (identity !== undefined) delete locals.identity;
  locals.route = exposed.route;
  locals.placeholders = exposed.placeholders;
  if (exposed.requestId !== undefined) locals.requestId = exposed.requestId;
  req.params = addDecoded({ ...params }, exposed.placeholders);

  return function restore() {
    putBack(locals, { route, placeholders, requestId, identity });
    putBack(res, { locals: given });
    putBack(req, { params });
  };
}

/** A member that did not exist before does not exist afterwards. */
function putBack(owner: object, before: Readonly<Record<string, unknown>>): void {
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
