import type { Listening, Settings } from "../contender.ts";
import { listenWith } from "../responder-gateway.ts";

/** Answers pass as they are. */
export function start(settings: Settings): Promise<Listening> {
  return listenWith(undefined, settings);
}
