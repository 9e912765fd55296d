import { dropFraming } from "../../../answers/answer-framing.ts";
import type { MatchedExchange } from "../../../exchange/matched-exchange.ts";
import type { RecordedAnswer } from "./record-answer.ts";

const bodiless: readonly number[] = [204, 304];

/** Sends what middleware would have answered. The promise is kept when the exchange is over: no code goes on before. */
export function sendRecorded(
  { status, headers, body }: RecordedAnswer,
  { context: { res }, cancellation }: Pick<MatchedExchange, "context" | "cancellation">,
): Promise<undefined> {
  const over = new Promise<undefined>((resolve) => cancellation.onCancel(() => resolve(undefined)));
  for (const name of res.getHeaderNames()) if (headers[name] === undefined) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value!);
  dropFraming(res);
  if (!bodiless.includes(status)) res.setHeader("content-length", body.length);
  res.statusCode = status;
  res.end(body);
  return over;
}
