import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Headers } from "../../delegating-handler.ts";
import { splitCookies } from "../../headers/cookies.ts";
import { type NotesOfShortened, shorten } from "../../headers/shortened-headers.ts";
import { defineCapability, type RoutePart } from "../capability.ts";
import { type Stickiness, stickinessOf } from "./sticky-settings.ts";

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
    changeRequest: ({ headers }, exchange) => dropCookie(headers, name, exchange),
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

function dropCookie(headers: Headers, name: string, request: NotesOfShortened): void {
  const { cookie } = headers;
  if (cookie?.includes(name) !== true) return;
  const kept = splitCookies(String(cookie)).filter((pair) => pair.name !== name);
  if (kept.length === 0) delete headers.cookie;
  else {
    const rest = kept.map(({ raw }) => raw).join(";");
    shorten(headers, "cookie", rest.trim(), request);
  }
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
