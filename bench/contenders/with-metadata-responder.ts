import { metadataResponder } from "../../src/index.ts";
import type { Listening, Settings } from "../contender.ts";
import { listenWith } from "../responder-gateway.ts";

/** The metadata in a header and around JSON. */
export function start(settings: Settings): Promise<Listening> {
  return listenWith(metadataResponder(), settings);
}
