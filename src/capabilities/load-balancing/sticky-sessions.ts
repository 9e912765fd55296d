import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Headers } from "../../delegating-handler.ts";
import { splitCookies } from "../../headers/cookies.ts";
import type { Balancer, HostSeeker } from "../../hosts/balancer.ts";
import type { RouteHost } from "../../hosts/host.ts";
import { defineCapability, type RoutePart } from "../capability.ts";
import { type Stickiness, stickinessOf } from "./stickiness.ts";

/** Tells clients by a cookie which host they have; the downstream does not see it. */
export const stickySessions = defineCapability<Map<string, RoutePart>>("sticky sessions", {
  prepare: () => new Map(),
  compile(config, parts, { global }) {
    const stickiness = stickinessOf(config, global);
    if (stickiness === undefined) return undefined;
    const { name, lifetime } = stickiness;
    const kind = JSON.stringify([name, lifetime]);
    const part = parts.get(kind) ?? createPart(stickiness);
    parts.set(kind, part);
    return part;
  },
});

function createPart({ name, lifetime }: Stickiness): RoutePart {
  const age = lifetime === undefined ? "" : `; Max-Age=${lifetime}`;
  return {
    changeRequest: ({ headers }) => dropCookie(headers, name),
    changeAnswer({ headers }, { hostCookie, askedOrigin, mountPath, context }) {
      // What a handler has sent to a host of its own says nothing about the hosts of the route.
      if (hostCookie === undefined || hostCookie.origin !== askedOrigin) return;
      const secure = isSecure(context.req) ? "; Secure" : "";
      const cookie = `${name}=${hostCookie.value}; Path=${pathFor(mountPath)}; HttpOnly; SameSite=Lax${secure}${age}`;
      const { "set-cookie": others = [] } = headers;
      headers["set-cookie"] = [others, cookie].flat();
    },
  };
}

function dropCookie(headers: Headers, name: string): void {
  const { cookie } = headers;
  if (cookie?.includes(name) !== true) return;
  const kept = splitCookies(String(cookie)).filter((pair) => pair.name !== name);
  if (kept.length === 0) delete headers.cookie;
  else
    headers.cookie = kept
      .map(({ raw }) => raw)
      .join(";")
      .trim();
}

/** What a trusted peer says of the client's scheme is still there; what others say was dropped with the match. */
function isSecure({ headers, socket }: IncomingMessage): boolean {
  const told = headers["x-forwarded-proto"];
  if (told !== undefined) return String(told).split(",", 1)[0]!.trim() === "https";
  return (socket as Partial<TLSSocket>).encrypted === true;
}

const plainPath = /^\/[!-:<-~]*$/;

/** Where the gateway is mounted may be of the client's choice: nothing in it may begin another attribute. */
function pathFor(mountPath: string): string {
  return plainPath.test(mountPath) ? mountPath : "/";
}

/**
 * Sends a client to the host that it had, as its cookie says, and one that has none to the next in turn. The cookie holds
 * marks of hosts and no host: whoever makes one up chooses among the route's hosts, and nothing else. No table is kept, so
 * that all gateways with the same key agree.
 */
export function createStickyBalancer({ name, key, lifetime }: Stickiness, inner: Balancer): Balancer {
  const known = new WeakMap<RouteHost, string>();
  const byTurn = new WeakSet<HostSeeker>();
  return { choose, takeBack };

  function choose(hosts: readonly RouteHost[], seeker: HostSeeker): RouteHost {
    const now = Math.floor(Date.now() / 1_000);
    const cookie = readFresh(seeker, now);
    const kept = firstMarked(cookie.marks, hosts);
    if (kept === undefined) byTurn.add(seeker);
    else byTurn.delete(seeker);
    const host = kept ?? inner.choose(hosts, seeker);
    // A host whose mark stands before this one's may be gone, and would have the client back when it returns.
    const isTold = cookie.marks[0] === markOf(host) && !isHalfOver(cookie, now);
    const value = isTold ? undefined : writeStickyCookie(markOf(host), { ...cookie, since: lifetime && now });
    seeker.hostCookie = value === undefined ? undefined : { origin: host.origin, value };
    return host;
  }

  function takeBack(host: RouteHost, hosts: readonly RouteHost[], seeker: HostSeeker): void {
    if (byTurn.has(seeker)) inner.takeBack?.(host, hosts, seeker);
  }

  /** The client's cookie; where its time is over, all is as if it had none. */
  function readFresh({ given }: HostSeeker, now: number): StickyCookie {
    const cookie = readStickyCookie(given.cookie, name) ?? noCookie;
    // Both moments are whole seconds, and the first may have been nearly over.
    const isOver = lifetime !== undefined && now - (cookie.since ?? now) > lifetime;
    return isOver ? noCookie : cookie;
  }

  function isHalfOver({ since }: StickyCookie, now: number): boolean {
    return lifetime !== undefined && (since === undefined || now - since >= lifetime / 2);
  }

  function firstMarked(marks: readonly string[], hosts: readonly RouteHost[]): RouteHost | undefined {
    for (const mark of marks) {
      const host = hosts.find((one) => markOf(one) === mark);
      if (host !== undefined) return host;
    }
    return undefined;
  }

  function markOf(host: RouteHost): string {
    let mark = known.get(host);
    if (mark === undefined) {
      mark = createHmac("sha256", key).update(host.origin).digest("hex").slice(0, 4);
      known.set(host, mark);
    }
    return mark;
  }
}

const noCookie: StickyCookie = { marks: [], since: undefined };

/** What a client's cookie says: the marks of the hosts that it had, the last one first, and since when, in seconds. */
type StickyCookie = Readonly<{ marks: readonly string[]; since: number | undefined }>;

const form = /^((?:[\da-f]{4}){1,8})(?:\.([\da-z]{1,8}))?$/;
const markLength = 4;
const mostMarks = 8;

/** The first cookie of the name that has the form of one; a client may send any text. */
function readStickyCookie(header: string | undefined, name: string): StickyCookie | undefined {
  if (header?.includes(name) !== true) return undefined;
  for (const pair of splitCookies(header)) {
    const [, marks, since] = (pair.name === name ? form.exec(pair.value) : null) ?? [];
    if (marks !== undefined) {
      return { marks: splitMarks(marks), since: since === undefined ? undefined : Number.parseInt(since, 36) };
    }
  }
  return undefined;
}

function splitMarks(text: string): string[] {
  return Array.from({ length: text.length / markLength }, (_, index) =>
    text.slice(index * markLength, (index + 1) * markLength),
  );
}

/** The value of a cookie with one mark before those that the client had. */
function writeStickyCookie(mark: string, { marks, since }: StickyCookie): string {
  const all = [mark, ...marks.filter((other) => other !== mark)].slice(0, mostMarks);
  return since === undefined ? all.join("") : `${all.join("")}.${since.toString(36)}`;
}
