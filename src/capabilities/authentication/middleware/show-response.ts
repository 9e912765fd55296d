import { ServerResponse } from "node:http";
import { interimWriters } from "../../../bodies/responses/members-of-answer.ts";
import { isLate, isOfAnswer, isPassedOver, setsHeaders, type Writing } from "./late-settings.ts";

/** A recorded answer, and the true response that what was set on it is let through to. */
export type Holding = Writing & {
  readonly recording: ServerResponse;
  readonly given: ServerResponse;
  /** The names of functions that middleware has put its own in the place of. */
  readonly replaced: Set<string>;
  /** What the true response had in their place. */
  readonly originals: Map<string, unknown>;
};

/** What writes to the client: once a scheme has succeeded, the answer is the gateway's, and such a call comes too late. */
const sending: ReadonlySet<string> = new Set([
  ...["write", "end", "writeHead", "flushHeaders", "destroy", "addTrailers", "assignSocket", "detachSocket"],
  ...interimWriters,
]);
const ofConnection: ReadonlySet<string | symbol> = new Set(["socket", "connection"]);

type Call = (...values: unknown[]) => unknown;

/** Makes what middleware sees: the recorded answer at first, and the true response once it was let through. */
export function showResponse(holding: Holding): ServerResponse {
  const { recording, given, replaced } = holding;
  const standIns = new Map<string, Call>();

  const res = new Proxy(recording, {
    get(_recording, name) {
      const isTrue = !holding.isHeld || ofConnection.has(name) || !(name in recording);
      const value = Reflect.get(isTrue ? given : recording, name) as unknown;
      const isNodes = typeof name === "string" && typeof value === "function" && name in ServerResponse.prototype;
      if (!isNodes || (holding.isHeld && replaced.has(name))) return value;
      return isTooLate(name) ? ignoreCall : standInFor(name);
    },
    set(_recording, name, value) {
      if (isLate(holding) && isOfAnswer(name)) return true;
      if (!holding.isHeld) return Reflect.set(given, name, value);
      if (typeof name === "string" && typeof value === "function") replaced.add(name);
      return Reflect.set(recording, name, value);
    },
  });
  return res;

  function isTooLate(name: string): boolean {
    return !holding.isHeld && (sending.has(name) || (given.headersSent && setsHeaders(name)));
  }

  function ignoreCall(): ServerResponse {
    return res;
  }

  function standInFor(name: string): Call {
    const known = standIns.get(name);
    if (known !== undefined) return known;
    const made = createStandIn(holding, name, res);
    standIns.set(name, made);
    return made;
  }
}

/**
 * One of Node's functions, of the recorded answer and later of the true one: middleware keeps what it has replaced, and
 * calls it when the true answer is written.
 */
function createStandIn(holding: Holding, name: string, shown: ServerResponse): Call {
  const { recording, given, originals } = holding;
  const ofRecording = Reflect.get(recording, name) as Call;
  return function standIn(...values) {
    if (isLate(holding)) {
      if (isPassedOver(name, values)) return shown;
      if (name === "setHeaders") return setOneByOne(shown, values[0] as Iterable<[string, string]>);
    }
    const owner = holding.isHeld ? recording : given;
    const call = holding.isHeld ? ofRecording : ((originals.get(name) ?? Reflect.get(given, name)) as Call);
    const result = Reflect.apply(call, owner, values);
    return result === owner ? shown : result;
  };
}

function setOneByOne(shown: ServerResponse, headers: Iterable<[string, string]>): ServerResponse {
  for (const [name, value] of headers) shown.setHeader(name, value);
  return shown;
}
