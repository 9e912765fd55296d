import type { UpstreamResponse } from "../delegating-handler.ts";
import type { Aggregator } from "./aggregator.ts";
import type { FindValues } from "./json-path.ts";
import type { HeldFor } from "./room-for-bodies.ts";

/** One call of a part, whose locks have let the client in. */
export type PartCall = Readonly<{
  key: string;
  /** As they are at the moment; middleware may have changed some. */
  placeholders: Readonly<Record<string, string>>;
  send: () => Promise<UpstreamResponse>;
  /** Whether other calls may have to wait for its connection. */
  hasScarceConnection: () => boolean;
  /** Begins a wait that lasts as long as its answer may take; the function that comes back ends it before its time. */
  beginWait: (expire: () => void) => () => void;
  /** Ends the call, and what of its answer is still to come. */
  cancel: (reason: Error) => void;
  /** Calls back when the call is over. */
  onEnd: (listener: (reason: Error) => void) => void;
  /** Logs why it is left out of a whole that does not fail. */
  logLeftOut: (reason: unknown) => void;
}>;

/** The calls of an aggregate's parts for one request. */
export type PartCalls = Readonly<{
  /** Those that are known from the start, in the order of the parts; undefined for a part that is asked by values. */
  known: readonly (PartCall | undefined)[];
  /** Lets the client in to one more call of the part at this place, with values for placeholders. */
  admit: (place: number, values: Readonly<Record<string, string>>) => Promise<PartCall>;
  /** Reads the request's body, so that every part can have it. */
  takeBody: () => Promise<void>;
  /** Throws what the request has ended with. */
  throwEnd: () => void;
  /** The request that all of them are for. */
  whole: HeldFor;
}>;

/** A part that is asked once for each value that is found in the first part's answer. */
type ValueSource = Readonly<{ placeholder: string; find: FindValues }>;

/** What an aggregate is made of, as it is asked. */
export type AggregateTerms = Readonly<{
  parts: readonly Readonly<{ key: string; source: ValueSource | undefined }>[];
  /** Whether a part that fails is `null` in the whole. */
  replacesFailures: boolean;
  mostCalls: number;
  aggregator: Aggregator | undefined;
}>;
