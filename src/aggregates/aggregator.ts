import type { GatewayContext, Headers, UpstreamResponse } from "../delegating-handler.ts";

/** The answer of one call of a part, as an aggregator of the user's gets it. */
export type AggregatePart = Readonly<{
  /** The `Key` of the part's route. */
  key: string;
  /** 0 where there is no answer. */
  status: number;
  headers: Readonly<Headers>;
  /** Without its coding; up to 10 MiB, and 100 MiB for all parts. */
  body: Buffer;
  placeholders: Readonly<Record<string, string>>;
  /** Why there is no answer; undefined where there is one. */
  error?: unknown;
}>;

/** Makes one answer out of those of all parts. */
export type Aggregator = (
  parts: readonly AggregatePart[],
  context: GatewayContext,
) => UpstreamResponse | Promise<UpstreamResponse>;
