import type { IncomingMessage, ServerResponse } from "node:http";
import { after, every, listen, listenOnce } from "../unattended/guarded.ts";
import { refuse } from "../pages/answer.ts";
import type { TrafficFeed } from "./traffic-feed.ts";

/** The pages that follow the traffic at the moment. */
export type TrafficStreams = Readonly<{
  open: (req: IncomingMessage, res: ServerResponse) => void;
  /** Ends all of them; none is opened any more. */
  close: () => void;
}>;

/** How a page follows the traffic. */
export type StreamSettings = Readonly<{
  feed: TrafficFeed;
  /** What is told of the gateway with each piece of news. */
  state: () => object;
}>;

const mostStreams = 16;
// As fast as a reader can follow.
const restMilliseconds = 150;
const heartbeatMilliseconds = 5_000;
const farewellMilliseconds = 1_000;
const longestBacklog = 1_048_576;

/** Sends the traffic to pages as server-sent events, in bundles; a page that does not keep up is let go. */
export function createTrafficStreams(settings: StreamSettings): TrafficStreams {
  const ends = new Set<() => void>();
  let isClosed = false;
  return { open, close };

  function open(req: IncomingMessage, res: ServerResponse): void {
    if (isClosed || ends.size >= mostStreams) {
      const reason = isClosed
        ? "The gateway is closing."
        : `Not more than ${mostStreams} pages can follow the traffic.`;
      refuse(req, res, 503, reason);
      return;
    }
    res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", connection: "close" });
    if (req.method === "HEAD") {
      res.end();
      return;
    }
    res.write("retry: 2000\n\n");
    ends.add(end);
    listenOnce(res, "close", () => ends.delete(end));
    follow(res, settings);

    /** A page that reads no more does not keep the server from closing. */
    function end(): void {
      const patience = after(farewellMilliseconds, () => res.destroy()).unref();
      listenOnce(res, "close", () => clearTimeout(patience));
      res.end();
    }
  }

  function close(): void {
    isClosed = true;
    for (const end of ends) end();
  }
}

/** Writes what is new until the page leaves, or is left. */
function follow(res: ServerResponse, { feed, state }: StreamSettings): void {
  let seen = 0;
  let resting: NodeJS.Timeout | undefined;
  const heartbeat = every(heartbeatMilliseconds, send, res).unref();
  const unsubscribe = feed.subscribe(() => (resting ??= after(restMilliseconds, send, res).unref()));
  for (const event of ["close", "finish", "error"]) listen(res, event, stop);
  send();

  function send(): void {
    clearTimeout(resting);
    resting = undefined;
    if (res.writableEnded) return;
    if (res.writableLength > longestBacklog) {
      res.destroy();
      return;
    }
    const entries = feed.after(seen);
    const skipped = entries.length === 0 ? 0 : entries[0]!.number - seen - 1;
    seen = entries.at(-1)?.number ?? seen;
    res.write(`data: ${JSON.stringify({ entries, skipped, counts: feed.counts(), state: state() })}\n\n`);
  }

  function stop(): void {
    clearTimeout(resting);
    clearInterval(heartbeat);
    unsubscribe();
  }
}
