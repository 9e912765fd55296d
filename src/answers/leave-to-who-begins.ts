import type { ServerResponse } from "node:http";
import { cutConnection } from "./cut-connection.ts";
import { headerSetters, interimWriters } from "../bodies/responses/members-of-answer.ts";

const release = Symbol("release");
type Left = ServerResponse & { [release]?: () => void };

/** What Node throws at once the head is out, or writes into the body. */
const ofHead = [...headerSetters, ...interimWriters];

/**
 * Leaves an answer to whoever begins it, where two may: the app that answers a failure, and user code that still has the
 * response; `isApp` tells whether the app is at work. What sets a head comes to nothing once that is out, since Node would
 * throw where nobody may catch it. Bytes of the one who has not begun cut the connection: neither of the two answers is
 * whole. The function that comes back ends that.
 */
export function leaveToWhoBegins(res: ServerResponse, isApp: () => boolean): () => void {
  let isLeft = true;
  let isOfApp: boolean | undefined;
  const end = (): void => void (isLeft = false);
  (res as Left)[release] = end;
  for (const name of ofHead) replace(name, mayTell);
  replace(
    "writeHead",
    (...head) => !res.headersSent && ((isOfApp !== undefined && saysNothing(head, res)) || mayWrite()),
  );
  replace("flushHeaders", () => !res.headersSent && mayWrite());
  // One who pipes would wait for ever for the rest to be taken.
  replace("write", mayWrite, true);
  replace("end", mayWrite);
  return end;

  function replace(name: string, may: (...parts: unknown[]) => boolean, inVain: unknown = res): void {
    const call: unknown = Reflect.get(res, name);
    if (typeof call !== "function") return;
    Reflect.set(res, name, function callUnlessOthers(...parts: unknown[]): unknown {
      return !isLeft || may(...parts) ? (Reflect.apply(call, res, parts) as unknown) : inVain;
    });
  }

  /** The length that an app tells holds for no other answer; what else it sets may be for whoever answers in a callback. */
  function mayTell(field: unknown): boolean {
    if (res.headersSent) return false;
    if (String(field).toLowerCase() === "content-length" && isApp()) isOfApp ??= true;
    return true;
  }

  function mayWrite(): boolean {
    isOfApp ??= isApp();
    if (isOfApp === isApp()) return true;
    cutConnection(res);
    return false;
  }
}

/**
 * Whether a head is just the one that stands there: Node writes it for whoever writes or ends, which middleware may let happen
 * later, for nobody.
 */
function saysNothing(head: readonly unknown[], { statusCode }: ServerResponse): boolean {
  return head.length === 1 && head[0] === statusCode;
}

/** Takes an answer from those to whom it was left: another gateway, to which the app has handed the request on, gives it. */
export function takeFromOthers(res: ServerResponse): void {
  (res as Left)[release]?.();
}
