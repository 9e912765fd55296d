import { setTimeout as wait } from "node:timers/promises";
import { faultyAnswer, type Faults } from "./faults.ts";
import { timerMilliseconds } from "./timeouts.ts";
import type { Sent, Transport } from "./transport.ts";

/** What a fault of the service makes of a try; undefined when the replica is to answer itself. */
export async function strikeFault<Answer>(
  faults: Faults,
  service: string,
  transport: Transport<Answer>,
  { left, signal }: Readonly<{ left: number; signal: AbortSignal }>,
): Promise<Sent<Answer> | undefined> {
  const fault = faults.strike(service, ["404-without-header", "410", "503", "dropped-socket", "slow-answer"]);
  if (fault === undefined) return undefined;
  const answer = faultyAnswer(fault);
  if (answer !== undefined) {
    const verdict = transport.judge({ ...answer, rawHeaders: ["Content-Length", "0"], body: null });
    return { result: String(answer.status), verdict };
  }
  if (fault.kind !== "slow-answer") return { result: "dropped", verdict: transport.failed("dropped") };
  const delay = fault.seconds * 1000;
  const patience = transport.patience(left);
  await wait(timerMilliseconds(Math.min(delay, patience)), undefined, { signal });
  return delay < patience ? undefined : { result: "late", verdict: transport.failed("late") };
}
