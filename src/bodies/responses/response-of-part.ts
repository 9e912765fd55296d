import { type IncomingMessage, ServerResponse } from "node:http";
import { headerSetters } from "./members-of-answer.ts";

/** What a part of an aggregate has for itself, beside the one response to the client. */
type Own = { locals: object; readonly req: IncomingMessage };

/** The one response behind what a part is shown of it, and how often headers were set by way of that. */
type Shown = { readonly given: ServerResponse; settings: number };

type Call = (...values: unknown[]) => unknown;

const setting: ReadonlySet<string | symbol> = new Set([...headerSetters, "writeHead"]);

const shownOf = new WeakMap<object, Shown>();

/** The response to the client, of what is that response or what a part is shown of it. */
export function givenResponse<Stream extends object>(stream: Stream): Stream {
  return (shownOf.get(stream)?.given as Stream | undefined) ?? stream;
}

/** How often a part's code has set headers, be it to what stood there already; 0 for the response itself. */
export function settingsBy(res: ServerResponse): number {
  return shownOf.get(res)?.settings ?? 0;
}

/** Shows a part the response to the client, with locals and a request of its own; all else is the response's. */
export function showResponseToPart(given: ServerResponse, own: Own): ServerResponse {
  const calls = new Map<Call, Call>();
  const shown: Shown = { given, settings: 0 };

  const res = new Proxy(given, {
    get(_given, name) {
      if (isOwn(name)) return own[name];
      const value = Reflect.get(given, name) as unknown;
      // Functions of others call these in turn, and those of Node compare the response with the one that is being written.
      const isNodes = typeof value === "function" && name !== "constructor" && name in ServerResponse.prototype;
      return isNodes ? callOnGiven(name, value as Call) : value;
    },
    set(_given, name, value) {
      return isOwn(name) ? Reflect.set(own, name, value) : Reflect.set(given, name, value);
    },
  });
  shownOf.set(res, shown);
  return res;

  function callOnGiven(name: string | symbol, call: Call): Call {
    const known = calls.get(call);
    if (known !== undefined) return known;
    const made = new Proxy(call, {
      apply(_call, owner, values) {
        if (setting.has(name)) shown.settings += 1;
        const result = Reflect.apply(call, owner === res ? given : owner, values);
        return result === given ? res : result;
      },
    });
    calls.set(call, made);
    return made;
  }
}

function isOwn(name: string | symbol): name is keyof Own {
  return name === "locals" || name === "req";
}
