import { randomUUID } from "node:crypto";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { AnswerStore } from "../../stores/answer-store.ts";
import { nameOfParts } from "./request-key.ts";
import { longestKept } from "./storable.ts";

/** A request, as far as it tells what was asked for. */
export type Targeted = Readonly<{ outgoing: OutgoingRequest; exchange: MatchedExchange }>;

/** What was done to targets by requests that may change them. */
export type TargetChanges = Readonly<{
  /** The mark of the last change of a target: answers that were asked for before it have another one. */
  markOf: (targeted: Targeted) => Promise<string>;
  /** Notes that something may have changed a target. */
  note: (targeted: Targeted) => Promise<void>;
}>;

// A change is remembered for longer than any answer that was asked for before it.
const remembered = 2 * longestKept;

/** Remembers changes beside the answers, for all routes. */
export function createTargetChanges(store: AnswerStore): TargetChanges {
  return { markOf, note };

  async function markOf(targeted: Targeted): Promise<string> {
    const { kept } = await store.find(nameOf(targeted), noGroups);
    const { changed } = (kept?.head ?? {}) as Readonly<{ changed?: unknown }>;
    return typeof changed === "string" ? changed : "";
  }

  async function note(targeted: Targeted): Promise<void> {
    const key = nameOf(targeted);
    const { generation } = await store.find(key, noGroups);
    const place = { key, generation, milliseconds: remembered };
    await store.keep(place, { head: { changed: randomUUID() }, body: noBytes });
  }
}

const noGroups: readonly string[] = [];
const noBytes = Buffer.alloc(0);

/** The address at which clients ask: routes that differ by method, and answers that differ by headers, have one target. */
function nameOf({ outgoing: { headers }, exchange: { matched } }: Targeted): string {
  const base = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-prefix"].map((name) =>
    String(headers[name] ?? ""),
  );
  return `waymark:cache:target:${nameOfParts([...base, matched.path, matched.query ?? ""])}`;
}

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Whether a request that was answered so may have changed its target. */
export function mayHaveChanged({ exchange }: Targeted, status: number): boolean {
  return !safe.has(exchange.context.req.method ?? "") && status >= 200 && status <= 399;
}
