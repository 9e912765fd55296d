import type { IncomingMessage } from "node:http";
import type { PartBodies, PartBody } from "../bodies/parsed/body-of-part.ts";
import { notedHeaders, notesOfStream } from "./notes-of-node.ts";

type Members = ReadonlyMap<string | symbol, PropertyDescriptor>;

/** What was set on a request for one part; `body` is undefined where user code has put a property of its own in its place. */
export type OwnMembers = Readonly<{ members: Members; body: PartBody | undefined }>;

/** What is set on a request while it is that of one part. */
export type MembersOfPart = Readonly<{
  /** Notes what a parser has made of a body that was still to be read, unless it was noted when it was set. */
  noteParsed: () => void;
  /**
   * Gives the request back as it was, but for what it did not have, such as a session: whatever ends with the answer finds
   * that there. What comes back is what was set; members that were removed have no value in it.
   */
  takeBack: () => OwnMembers;
  /** Copies bytes that all parts send, for the part's handlers. */
  ownBytes: PartBody["ownBytes"];
  /** Drops the copy of the body that handlers have read. */
  sent: () => void;
  /** Drops any copy that the part has; a request that is still the part's keeps what is there. */
  end: () => void;
}>;

/** Follows from now on what is set on a request. */
export function followMembers(req: IncomingMessage & { body?: unknown }, bodies: PartBodies): MembersOfPart {
  // Node adds trailers that come later to those that were asked for, which are then those of all parts.
  Reflect.get(req, "trailers");
  const before = membersOf(req);
  let parsed = req.readableEnded ? nothing : undefined;
  const body = bodies.begin(req.body);
  const shown = propertyOf(body.get, setBody);
  Reflect.defineProperty(req, "body", shown);
  return { noteParsed, takeBack, ownBytes: body.ownBytes, sent: body.sent, end };

  /** What the layer of a parser makes of the body behind its first word is for this part alone. */
  function setBody(value: unknown): void {
    body.set(value);
    if (value !== undefined && !bodies.isToBeFilled(value)) noteParsed();
  }

  function noteParsed(): void {
    if (parsed !== undefined || !req.readableEnded) return;
    const found = new Map([...membersOf(req)].filter(([name]) => ofBody.has(name)));
    if (isShown()) {
      const value = body.share();
      if (value === undefined) found.delete("body");
      else found.set("body", { ...absent, value });
    }
    parsed = found;
  }

  function takeBack(): OwnMembers {
    noteParsed();
    const earlier = new Map([...before, ...(parsed ?? nothing)]);
    const isOwn = isShown();
    if (isOwn) putBack(earlier.get("body"));
    body.admitted();
    const now = membersOf(req);
    for (const [name, member] of differing(earlier, now)) {
      if (earlier.has(name)) Reflect.defineProperty(req, name, member);
      else if (ofBody.has(name)) Reflect.deleteProperty(req, name);
    }
    return { members: differing(now, earlier), body: isOwn ? body : undefined };
  }

  function end(): void {
    const { value, shared } = body.toSend();
    if (isShown()) putBack(shared === undefined ? { ...absent, value } : (parsed ?? before).get("body"));
    body.end();
  }

  function isShown(): boolean {
    return Reflect.getOwnPropertyDescriptor(req, "body")?.get === shown.get;
  }

  function putBack(member: PropertyDescriptor | undefined): void {
    if (member === undefined) Reflect.deleteProperty(req, "body");
    else Reflect.defineProperty(req, "body", member);
  }
}

const nothing: Members = new Map();

/** What parsers leave of a body, which nobody can read again. */
const ofBody: ReadonlySet<string | symbol> = new Set(["body", "rawBody"]);

/** What Node tells of a request that is still coming in is true of all parts, as is what parsers and listeners note of it. */
const ofStream: ReadonlySet<string | symbol> = new Set<string | symbol>([
  ...["complete", "aborted", "rawTrailers", "_body", "__onFinished"],
  ...notesOfStream,
]);

/** The property of a request in which a part finds its body. */
export function propertyOf(get: PartBody["get"], set: PartBody["set"]): PropertyDescriptor {
  return { get, set, enumerable: true, configurable: true };
}

const absent: PropertyDescriptor = { value: undefined, writable: true, enumerable: true, configurable: true };

/** Headers of a kind that nobody has asked for yet, a request has all the same. */
const unasked: Members = new Map(notedHeaders.map((name) => [name, absent]));

function membersOf(req: IncomingMessage): Members {
  const names = Reflect.ownKeys(req).filter((name) => !ofStream.has(name));
  return new Map([...unasked, ...names.map((name) => [name, Object.getOwnPropertyDescriptor(req, name)!] as const)]);
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
