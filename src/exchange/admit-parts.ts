import { noBodiesYet } from "../bodies/with-code/bodies-with-code.ts";
import { keepEncoding } from "../bodies/parsed/undo-set-encoding.ts";
import type { PartCall } from "../aggregates/part-call.ts";
import { findUpgrade } from "../capabilities/websockets/upgrade-request.ts";
import { RequestError } from "../errors.ts";
import { cutStalled } from "./cut-stalled-or-closing.ts";
import { createAdmission, type PartSurroundings, type PresentTerms } from "./admit-part.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";
import { takeSharedBody } from "./read-body-for-all-parts.ts";
import { withholdHeaders } from "./withhold-headers.ts";

/**
 * Admits the parts of an aggregate, one after the other on the client's own request and response, before any of them is
 * sent: whoever one of them refuses gets nothing of the others either.
 */
export function admitParts(
  whole: Exchange,
  destinations: Destinations,
  surroundings: PartSurroundings & PresentTerms,
): void {
  const aggregate = whole.compiled.aggregate!;
  const { parts } = aggregate;
  // A responder may have what is composed of their answers when the client leaves.
  whole.bodiesWithCode = noBodiesYet();
  let ended: Error | undefined;
  whole.cancellation.onCancel((reason) => (ended = reason));
  admitAll().catch(destinations.fail);

  async function admitAll(): Promise<void> {
    if (findUpgrade(whole.context.req) !== undefined) throw takesNoUpgrade();
    keepEncoding(whole.context.req);
    const { admit, judgeClient, shareBody } = createAdmission(whole, destinations.leave, surroundings);
    const known: (PartCall | undefined)[] = [];
    for (const part of parts) {
      if (ended !== undefined) return;
      const isKnown = part.values === undefined || parts.length === 1;
      known.push(await (isKnown ? admit(part, {}) : judgeClient(part)));
    }
    // The headers of the only part are the whole's.
    if (parts.length > 1) withholdHeaders(whole, surroundings.claimHeaders);
    whole.parts = {
      known,
      admit: (place, values) => admit(parts[place]!, values),
      takeBody: async () => shareBody(await takeSharedBody(whole, aggregate)),
      throwEnd() {
        if (ended !== undefined) throw ended;
      },
      whole: {
        onEnd: whole.cancellation.onCancel,
        refuse: destinations.fail,
        cut: () => cutStalled(whole, surroundings.logger),
      },
    };
    destinations.proxy();
  }
}

/** What a client is refused for who asks an aggregate for a WebSocket. */
export function takesNoUpgrade(): RequestError {
  return new RequestError("aggregate-upgrade", "An aggregate answers with JSON, and takes no WebSockets.");
}
