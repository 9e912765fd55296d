import type { IncomingMessage } from "node:http";

type Members = ReadonlyMap<string, PropertyDescriptor>;

/** What is set on a request while it is that of one part. */
export type MembersOfPart = Readonly<{
  /** Notes what a parser has made of a body that was still to be read, as it is at the first call behind it. */
  noteParsed: () => void;
  /**
   * Gives the request back as it was, but for what it did not have, such as a session: whatever ends with the answer finds
   * that there. What comes back is what was set; members that were removed have no value in it.
   */
  takeBack: () => Members;
}>;

/** Follows from now on what is set on a request. */
export function followMembers(req: IncomingMessage): MembersOfPart {
  const before = membersOf(req);
  let parsed = req.readableEnded ? nothing : undefined;
  copyBody(req);
  return { noteParsed, takeBack };

  function noteParsed(): void {
    if (parsed !== undefined || !req.readableEnded) return;
    parsed = new Map([...membersOf(req)].filter(([name]) => ofBody.has(name)));
    copyBody(req);
  }

  function takeBack(): Members {
    noteParsed();
    const now = membersOf(req);
    const earlier = new Map([...before, ...(parsed ?? nothing)]);
    for (const [name, member] of differing(earlier, now)) {
      if (earlier.has(name)) Reflect.defineProperty(req, name, member);
      else if (ofBody.has(name)) Reflect.deleteProperty(req, name);
    }
    return differing(now, earlier);
  }
}

const nothing: Members = new Map();

/** What parsers leave of a body, which nobody can read again. */
const ofBody: ReadonlySet<string> = new Set(["body", "rawBody"]);

/** What Node tells of a request that is still coming in is true of all parts. */
const ofStream: ReadonlySet<string> = new Set(["complete", "aborted", "rawTrailers"]);

const absent: PropertyDescriptor = { value: undefined, writable: true, enumerable: true, configurable: true };

/** What Node and parsers note for themselves, with an underscore, stays with the request. */
function membersOf(req: IncomingMessage): Members {
  const all = Object.entries(Object.getOwnPropertyDescriptors(req));
  return new Map(all.filter(([name]) => !name.startsWith("_") && !ofStream.has(name)));
}

/** The members that are not as the others are; those that are among the others only are there, without a value. */
function differing(members: Members, others: Members): Members {
  const missing = [...others.keys()].filter((name) => !members.has(name)).map((name) => [name, absent] as const);
  const different = [...members].filter(([name, member]) => !isSame(member, others.get(name)));
  return new Map([...different, ...missing]);
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  return other !== undefined && Object.is(one.value, other.value) && one.get === other.get && one.set === other.set;
}

/** Middleware sets members of a parsed body more often than it puts another one in its place. */
function copyBody(req: IncomingMessage & { body?: unknown }): void {
  const { body } = req;
  if (Array.isArray(body)) Reflect.set(req, "body", [...(body as unknown[])]);
  else if (isRecord(body)) Reflect.set(req, "body", copyRecord(body));
}

/** Assigning would set the prototype where JSON has a member `__proto__`. */
function copyRecord(record: object): unknown {
  return Object.create(Object.getPrototypeOf(record) as object | null, Object.getOwnPropertyDescriptors(record));
}

function isRecord(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
