import { ServerResponse } from "node:http";
import { takeFromOthers } from "./leave-to-who-begins.ts";

const beginners = ["writeHead", "write", "end"] as const;

type Beginners = Readonly<Record<(typeof beginners)[number], unknown>>;

/**
 * Tells when an answer begins that middleware keeps back until it has the body, by functions that stand before Node's: from
 * then on no error can take its place, since the half that was kept would go out with the error, and look whole. What Node's
 * own functions have begun shows in `headersSent`.
 */
export function whenBegun(res: ServerResponse, begun: () => void): void {
  if (areNodes(res, ServerResponse.prototype as Beginners)) return;
  takeFromOthers(res);
  for (const name of beginners) {
    const call = Reflect.get(res, name) as unknown as (...parts: unknown[]) => unknown;
    if (call === Reflect.get(ServerResponse.prototype, name)) continue;
    const tell = function callAndTell(...parts: unknown[]): unknown {
      const result = Reflect.apply(call, res, parts);
      begun();
      return result;
    };
    Object.assign(res, { [name]: tell });
  }
}

/** So it is for almost every response, and to look each one up by name takes longer. */
function areNodes({ writeHead, write, end }: Beginners, nodes: Beginners): boolean {
  return writeHead === nodes.writeHead && write === nodes.write && end === nodes.end;
}
