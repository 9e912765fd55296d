import type { TraceClock } from "./trace-clock.ts";
import type { TraceAnswer, TraceRequest } from "./trace.ts";

/** The cookie by which our gateway has a client stay at its host; the recorded one kept a table instead. */
const hostCookie = /^([^=;]+)\.host=([\da-z.]+); Path=\/; HttpOnly; SameSite=Lax(?:; Max-Age=(\d+))?$/;

/** The clients of a trace, who are told apart by their sessions: each keeps that cookie, as a browser does. */
export type TraceClients = Readonly<{
  withHostCookie: (request: TraceRequest) => TraceRequest;
  keep: (request: TraceRequest, answer: TraceAnswer) => void;
}>;

type Kept = Readonly<{ value: string; until: number }>;

/** Knows no client yet. */
export function createTraceClients(clock: TraceClock): TraceClients {
  const byName = new Map<string, Map<string, Kept>>();
  return {
    withHostCookie(request) {
      const added = [...byName].flatMap(([name, kept]) => {
        const { value, until = 0 } = kept.get(sessionOf(request, name) ?? "") ?? {};
        return value === undefined || until <= clock.now() ? [] : [`${name}.host=${value}`];
      });
      if (added.length === 0) return request;
      return { ...request, headers: { ...request.headers, Cookie: [cookieOf(request), ...added].join("; ") } };
    },
    keep(request, { headers }) {
      for (const line of linesOf(headers["set-cookie"])) {
        const [, name = "", value, age = "Infinity"] = hostCookie.exec(line) ?? [];
        const session = sessionOf(request, name);
        if (value === undefined || session === undefined) continue;
        const kept = byName.get(name) ?? new Map<string, Kept>();
        byName.set(name, kept.set(session, { value, until: clock.now() + Number(age) * 1_000 }));
      }
    },
  };
}

/** The headers of an answer without that cookie. */
export function withoutHostCookie(headers: TraceAnswer["headers"]): TraceAnswer["headers"] {
  const { "set-cookie": written, ...others } = headers;
  const [first, ...more] = linesOf(written).filter((line) => !hostCookie.test(line));
  if (first === undefined) return others;
  return { ...others, "set-cookie": more.length === 0 ? first : [first, ...more] };
}

/** Of two sessions the last one counts, as it did for the recorded host. */
function sessionOf(request: TraceRequest, name: string): string | undefined {
  const pairs = cookieOf(request).split("; ");
  return pairs.findLast((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

function cookieOf({ headers = {} }: TraceRequest): string {
  return String(headers.Cookie ?? "");
}

function linesOf(value: string | readonly string[] = []): readonly string[] {
  return typeof value === "string" ? [value] : value;
}
