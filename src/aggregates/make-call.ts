import type { UpstreamResponse } from "../delegating-handler.ts";
import type { PartCall } from "./part-call.ts";

/** What has become of a call: the head of its answer is there, or it has failed. */
export type Settled = Readonly<{ call: PartCall }> &
  (Readonly<{ answer: UpstreamResponse }> | Readonly<{ answer: undefined; reason: unknown }>);

/** The calls of one part, and what has become of each. */
export type AskedPart = Readonly<{ key: string; settled: readonly Settled[]; isList: boolean }>;

/** Makes a call; what it fails with is told, not thrown. */
export async function makeCall(call: PartCall): Promise<Settled> {
  try {
    return { call, answer: await call.send() };
  } catch (reason) {
    return { call, answer: undefined, reason };
  }
}
