import { type AggregatePart, type Aggregator, createAnswer } from "../../src/index.ts";
import type { TraceSetup } from "./trace.ts";

/** The aggregators that the recorded host had registered, as options of ours. */
export function toAggregators({ aggregators: registered = [] }: TraceSetup): Readonly<Record<string, Aggregator>> {
  return Object.fromEntries(registered.map((name) => [name, recorded[name]!]));
}

const textType = { "content-type": "text/plain; charset=utf-8" };

const recorded: Readonly<Record<string, Aggregator>> = {
  JoinBodies: (parts) =>
    createAnswer({ status: 200, headers: textType, body: parts.map(({ body }) => body.toString()).join("|") }),
  Describe: (parts) =>
    createAnswer({
      status: 200,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(parts.map(describe)),
    }),
  Throws: () => {
    throw new Error("The aggregator fails.");
  },
  ReturnsNull: () => null as never,
  Headers418: (parts) => {
    const cookies = parts.flatMap(({ headers }) => headers["set-cookie"] ?? []);
    return createAnswer({ status: 418, headers: { ...textType, "x-agg": ["a", "b"], "set-cookie": cookies } });
  },
};

/** As the recorded host told it: failures by the names that it has for them, headers as it spells and sorts them. */
function describe({ key, status, headers, body, error }: AggregatePart): object {
  const nothing = { key, status: null, errors: [], headers: null, contentHeaders: null, placeholders: [] };
  if (error !== undefined) {
    return { ...nothing, errors: ["ConnectionToDownstreamServiceError"], aggregateKey: null, body: null };
  }
  const shown = Object.entries(headers).filter(([name]) => !/^(date|connection|keep-alive|content-.*)$/.test(name));
  return {
    ...nothing,
    status,
    headers: shown.map(([name, value]) => `${spelt(name)}: ${String(value)}`).sort(),
    contentHeaders: [`Content-Length: ${body.length}`, `Content-Type: ${String(headers["content-type"])}`],
    aggregateKey: null,
    body: body.toString(),
  };
}

function spelt(name: string): string {
  return name.replace(/(^|-)./g, (start) => start.toUpperCase());
}
