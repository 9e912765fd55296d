import type { CallSpans } from "./call-spans.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";
import type { ObservedPart } from "./observer.ts";

/** The call of a part has a span that ends with the head of its answer: the body is read as the client takes the whole. */
export function endAtHead(spans: CallSpans, count: GatewayMetrics["count"]): ObservedPart {
  return {
    sending: spans.sending,
    left: () => spans.end(),
    ended(record) {
      spans.end({ ...record, answeredAfter: record.error === undefined ? record.duration : undefined });
      count(record);
    },
  };
}
