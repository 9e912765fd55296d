import type { Gateway } from "../../gateway.ts";
import { liveOf } from "../../compiling/live.ts";
import type { PurgedAnswers } from "../../compiling/live.ts";
import type { Peers } from "../../peers.ts";

/** Lets a gateway be one with those of other processes: what is thrown away in one is thrown away in all. */
export function shareGateway(gateway: Gateway, peers: Peers): void {
  if (!peers.areThere) return;
  const live = liveOf(gateway)!;
  live.purged = (answers) => peers.ask("purge", answers);
  peers.answer("purge", (answers) => live.purge(answers as PurgedAnswers));
}
