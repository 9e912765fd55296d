import { randomUUID } from "node:crypto";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { type AnswerStore, unknownGeneration } from "../../stores/answer-store.ts";
import { nameOfParts } from "./request-key.ts";
import { longestKept } from "./storable.ts";

/** A request, as far as it tells what was asked for. */
export type Targeted = Readonly<{ outgoing: OutgoingRequest; exchange: MatchedExchange }>;

/** What was done to targets by requests that may change them. */
export type TargetChanges = Readonly<{
  /** The mark of the last change of a target: answers that were asked for before it have another one; undefined where nobody can tell. */
  markOf: (targeted: Targeted) => Promise<string | undefined>;
  /** Reads the target of a request that may change it, and gives what notes that this was done. */
  prepare: (targeted: Targeted, isKept?: boolean) => (status: number) => Promise<void>;
}>;

/** A POST whose answer may be kept asks, as others like it do: what those got it does not end. */
type Change = Readonly<{ changed?: unknown; posted?: unknown }>;

// A change is remembered for longer than any answer that was asked for before it.
const remembered = 2 * longestKept;

/** Remembers changes beside the answers, for all routes. */
export function createTargetChanges(store: AnswerStore): TargetChanges {
  return { markOf, prepare };

  async function markOf(targeted: Targeted): Promise<string | undefined> {
    const { kept, generation } = await store.find(nameOf(targeted), noGroups);
    if (generation === unknownGeneration) return undefined;
    const { changed, posted } = (kept?.head ?? {}) as Change;
    return isPost(targeted) ? textOf(changed) : `${textOf(changed)} ${textOf(posted)}`;
  }

  function prepare(targeted: Targeted, isKept = false): (status: number) => Promise<void> {
    if (!mayChange(targeted)) return nothingChanged;
    // Handlers may change the headers that it is made of.
    const key = nameOf(targeted);
    return async (status) => {
      if (status < lowestSuccess || status > highestSuccess) return;
      const { kept, generation } = await store.find(key, noGroups);
      const { changed } = (kept?.head ?? {}) as Change;
      const head = isKept ? { changed, posted: randomUUID() } : { changed: randomUUID() };
      await store.keep({ key, generation, milliseconds: remembered }, { head, body: noBytes });
    };
  }
}

const lowestSuccess = 200;
const highestSuccess = 399;

function nothingChanged(): Promise<void> {
  return Promise.resolve();
}

function textOf(mark: unknown): string {
  return typeof mark === "string" ? mark : "";
}

const noGroups: readonly string[] = [];
const noBytes = Buffer.alloc(0);

/** The address at which clients ask: routes that differ by method, and answers that differ by headers, have one target. */
function nameOf({ outgoing: { headers }, exchange: { matched } }: Targeted): string {
  const base = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-prefix"].map((name) =>
    String(headers[name] ?? ""),
  );
  return nameOfParts(["target", ...base, plainPath(matched.path), matched.query ?? ""]);
}

/** Whatever routes and services may take for the same path: rather one answer too many is ended than one too few. */
function plainPath(path: string): string {
  const lower = decode(path).toLowerCase();
  return lower.endsWith("/") ? lower.slice(0, -1) : lower;
}

function decode(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Whether a request may change its target. */
function mayChange({ exchange }: Targeted): boolean {
  return !safe.has(exchange.context.req.method ?? "");
}

function isPost({ exchange }: Targeted): boolean {
  return exchange.context.req.method === "POST";
}
