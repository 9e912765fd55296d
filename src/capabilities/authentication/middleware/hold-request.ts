import type { IncomingMessage } from "node:http";
import { copyHeaders, type HeaderMembers, isHeaderMember, setHeadersForAWhile } from "./held-headers.ts";
import { setForAWhile } from "./temporary-members.ts";

/** A request on which whatever code sets is visible to that code only, until it is let through. */
type HeldRequest = Readonly<{
  req: IncomingMessage;
  /** Sets on the true request what was set here, from now on at once; the function that comes back takes it away. */
  letThrough: () => () => void;
}>;

/** What belongs to one call of a handler. */
const ownMembers = new Set(["res", "next"]);

/** Methods by which a body is iterated. */
const iterators = new Set<string | symbol>([Symbol.asyncIterator, "iterator"]);

/** Holds back what middleware sets on a request: a scheme that fails, or comes too late, leaves no `req.user` behind. */
export function holdRequest(given: IncomingMessage): HeldRequest {
  const members = Object.create(Object.getPrototypeOf(given) as object) as object;
  const headers: HeaderMembers = {};
  const removed = new Set<string | symbol>();
  let isHeld = true;

  const req = new Proxy(members, {
    get(_members, name) {
      if (!isHeld && !ownMembers.has(String(name))) return read(name);
      if (isHeaderMember(name)) headers[name] ??= copyHeaders(given, name) as never;
      if (isHeaderMember(name)) return headers[name];
      if (Object.hasOwn(members, name)) return Reflect.get(members, name, req) as unknown;
      if (removed.has(name)) return undefined;
      return name === "params" ? copyParams() : read(name);
    },
    set(_members, name, value) {
      if (isHeld && isHeaderMember(name)) return Reflect.set(headers, name, value);
      if (!isHeld || isOfStream(given, name)) return Reflect.set(given, name, value);
      removed.delete(name);
      return Reflect.set(members, name, value);
    },
    has: (_members, name) => Object.hasOwn(members, name) || (name in given && !(isHeld && removed.has(name))),
    deleteProperty(_members, name) {
      if (!isHeld) return Reflect.deleteProperty(given, name);
      removed.add(name);
      return Reflect.deleteProperty(members, name);
    },
  }) as IncomingMessage;
  return { req, letThrough };

  /** What is changed in the parameters of the true request is changed for all. */
  function copyParams(): object {
    const params = { ...(read("params") as object | undefined) };
    Object.assign(members, { params });
    return params;
  }

  function read(name: string | symbol): unknown {
    const value: unknown = Reflect.get(given, name);
    // Node tells the end of what it iterates by the object that the events come from, which is the true request.
    return iterators.has(name) && typeof value === "function" ? (value.bind(given) as unknown) : value;
  }

  function letThrough(): () => void {
    isHeld = false;
    const gone = [...removed].filter((name) => Object.hasOwn(given, name));
    const set = Object.entries(Object.getOwnPropertyDescriptors(members)).filter(([name]) => !ownMembers.has(name));
    const absent = gone.map((name) => [name, { value: undefined, writable: true, enumerable: true }] as const);
    const all: PropertyDescriptorMap = Object.fromEntries<PropertyDescriptor>([...set, ...absent]);
    const takers = [setForAWhile(given, all), setHeadersForAWhile(given, headers)];
    return () => takers.forEach((take) => take());
  }
}

/** Of what a stream keeps about itself there is one, whoever reads it. */
function isOfStream(given: IncomingMessage, name: string | symbol): boolean {
  if (typeof name === "symbol" || name.startsWith("_")) return name in given;
  for (let owner: object | null = given; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (found !== undefined) return found.set !== undefined;
  }
  return false;
}
