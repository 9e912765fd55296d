import type { RequestObserver, RequestRecord } from "../observing/observer.ts";
import { createRouteCounts } from "./route-counts.ts";
import type { Activity } from "./state/gateway-state.ts";
import { createTimeline } from "./last-five-minutes.ts";
import { createTrafficFeed, type TrafficFeed } from "./latest-requests.ts";
import { errorOf } from "./what-counts-as-error.ts";

/** Keeps what the page shows of requests: the latest of them, the last five minutes, and the counts of routes. */
export function watchActivity(): Activity & Readonly<{ feed: TrafficFeed; observer: RequestObserver }> {
  const feed = createTrafficFeed();
  const timeline = createTimeline();
  const counts = createRouteCounts();
  const observed = { ended };
  return { feed, timeline, counts, observer: { begin: () => observed } };

  function ended(record: RequestRecord): void {
    const { startedAt, duration } = record;
    timeline.note(startedAt + duration, duration, errorOf(record) !== undefined);
    counts.note(record);
    feed.note(record);
  }
}
