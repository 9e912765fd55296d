import type { IncomingMessage, ServerResponse } from "node:http";
import { reportDefect } from "../unattended/defects.ts";
import { after, every, listen, listenOnce } from "../unattended/guarded.ts";
import { refuse } from "../pages/answer.ts";
import type { TrafficFeed } from "./latest-requests.ts";
import { noteSeen, type SeenTraffic, type TrafficNews } from "./traffic-news.ts";

/** The pages that follow the traffic at the moment. */
type TrafficStreams = Readonly<{
  open: (req: IncomingMessage, res: ServerResponse) => void;
  /** Ends all of them; none is opened any more. */
  close: () => void;
}>;

/** How a page follows the traffic. */
type StreamSettings = Readonly<{
  /** Tells what is new; with other processes, that of all. */
  news: (seen: SeenTraffic) => Promise<TrafficNews>;
  /** Calls back when there is something new in this process. */
  subscribe: TrafficFeed["subscribe"];
  /** Whether there is news of which nobody calls back. */
  hasPeers: boolean;
}>;

const mostStreams = 16;
// As fast as a reader can follow.
const restMilliseconds = 150;
const heartbeatMilliseconds = 5_000;
const heartbeatAmongPeers = 1_000;
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
function follow(res: ServerResponse, { news, subscribe, hasPeers }: StreamSettings): void {
  let seen: SeenTraffic = {};
  let resting: NodeJS.Timeout | undefined;
  let isAsking = false;
  const heartbeat = every(hasPeers ? heartbeatAmongPeers : heartbeatMilliseconds, send, res).unref();
  const unsubscribe = subscribe(() => (resting ??= after(restMilliseconds, send, res).unref()));
  for (const event of ["close", "finish", "error"]) listen(res, event, stop);
  send();

  function send(): void {
    clearTimeout(resting);
    resting = undefined;
    // What comes while all are asked is told in the next round.
    if (res.writableEnded || isAsking) return;
    if (res.writableLength > longestBacklog) {
      res.destroy();
      return;
    }
    isAsking = true;
    void news(seen).then(write).catch(giveUp);
  }

  function write(told: TrafficNews): void {
    isAsking = false;
    if (res.writableEnded) return;
    seen = noteSeen(seen, told);
    res.write(`data: ${JSON.stringify(told)}\n\n`);
  }

  function giveUp(error: unknown): void {
    reportDefect(error);
    res.destroy();
  }

  function stop(): void {
    clearTimeout(resting);
    clearInterval(heartbeat);
    unsubscribe();
  }
}
