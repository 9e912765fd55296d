import type { AnswerBody } from "../../bodies/answer-body.ts";
import { brokenOff } from "../../bodies/broken-off.ts";
import { unreadBody } from "../../bodies/with-code/body-to-read.ts";
import { createStreamBody } from "../../bodies/stream-body.ts";
import { type AnyResponse, takeBody, takeWhole } from "../../answers/upstream-response.ts";
import { requireBody } from "../../answers/require-body.ts";
import { createWholeBody } from "../../bodies/whole-body.ts";
import type { UpstreamResponse } from "../../delegating-handler.ts";
import { decompress } from "../../bodies/codings/content-coding.ts";
import { withUtf8 } from "../../bodies/media-type.ts";
import type { BodyPlan } from "./which-bodies-change.ts";
import { type PassageChooser, relayBody } from "./change-body-by-first-bytes.ts";
import { replaceBody, returnBody } from "../../answers/same-meaning-body.ts";
import { createWrapping, type WrapPassage } from "./wrap-json.ts";

/** What a body is changed by, besides the plan. */
type ChangeSettings = Readonly<{ suffix: Buffer; maxBytes: number }>;

/** Changes a body as planned; resolves when its first bytes are there, rejects when it breaks off before. */
export function changeBody(
  upstream: UpstreamResponse,
  plan: BodyPlan,
  settings: ChangeSettings,
): Promise<void> | undefined {
  const chooser = plan.charset === undefined ? createUnchanged() : createWrapping(plan.charset, settings.suffix);
  const whole = plan.coding === undefined ? (upstream as AnyResponse)[takeWhole]?.() : undefined;
  if (whole === undefined) return changeOnItsWay(upstream, plan, chooser, settings.maxBytes);
  // A short answer is all there already: to wait for it would be most of its cost.
  const passage = chooser.take(whole) ?? chooser.end();
  const bytes = Buffer.concat(passage.end === undefined ? passage.start : [...passage.start, passage.end()]);
  putChanged(upstream, plan, passage.wraps, createWholeBody(bytes));
  return undefined;
}

async function changeOnItsWay(
  upstream: UpstreamResponse,
  plan: BodyPlan,
  chooser: PassageChooser<WrapPassage>,
  maxBytes: number,
): Promise<void> {
  const { body, passage } = await relayBody(openBody(upstream, plan, maxBytes), chooser);
  putChanged(upstream, plan, passage.wraps, body);
}

function openBody(upstream: AnyResponse, { coding }: BodyPlan, maxBytes: number): AnswerBody {
  if (coding !== undefined)
    return createStreamBody(decompress(unreadBody(upstream), coding, maxBytes), { toFailure: brokenOff });
  requireBody(upstream);
  return upstream[takeBody]?.() ?? createStreamBody(upstream.body);
}

function putChanged(upstream: UpstreamResponse, { coding, charset }: BodyPlan, wraps: boolean, body: AnswerBody): void {
  if (coding === undefined && !wraps) {
    returnBody(upstream, body);
    return;
  }
  replaceBody(upstream, body);
  const { headers } = upstream;
  if (coding !== undefined) headers["content-encoding"] = "identity";
  if (wraps && charset !== "utf-8") headers["content-type"] = withUtf8(String(headers["content-type"]));
}

/** The first bytes are waited for nevertheless: what is corrupt from the start can still be answered as an error. */
function createUnchanged(): PassageChooser<WrapPassage> {
  return {
    take: (piece) => (piece.length > 0 ? { wraps: false, start: [piece] } : undefined),
    end: () => ({ wraps: false, start: [] }),
  };
}
