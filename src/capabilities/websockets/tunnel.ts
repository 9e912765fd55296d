import type { Socket } from "node:net";
import { ignoreErrors, listen, listenOnce, rightAfter } from "../../unattended/guarded.ts";
import type { UpgradeRequest } from "./upgrade-request.ts";
import { closeGently } from "./close-gently.ts";
import { type CloseCode, closeCodes } from "./close-code.ts";
import { closingFrameForClient, closingFrameForUpstream, sendBetweenFrames } from "./closing-frame-between-frames.ts";
import { startRelay } from "./relay.ts";

/** Two connections joined; both can be closed with a code. */
type Tunnel = Readonly<{ close: (code: CloseCode) => void }>;

/** How a tunnel ends by itself, and who is told when both connections are closed. */
type TunnelSettings = Readonly<{
  /** Milliseconds without a byte either way; undefined for no limit. */
  idle: number | undefined;
  /** Milliseconds in which a side may neither take what waits for it nor give anything. */
  standstill?: number | undefined;
  closed: () => void;
}>;

// How long a peer may take to answer the closing frame.
const farewellPatience = 1_000;
// Where there is no idle limit, only the keep-alive of TCP finds out that a peer has vanished.
const keepAliveDelay = 60_000;

/** Passes bytes both ways until either side ends or fails; then both are closed. */
export function openTunnel(
  { client, head, upstream }: Required<Omit<UpgradeRequest, "endsAt">>,
  { idle = 0, standstill, closed }: TunnelSettings,
): Tunnel {
  const toUpstream = startRelay(client, upstream, { standstill, stuck: goAway });
  const toClient = startRelay(upstream, client, { standstill, stuck: goAway });
  let openSides = 2;
  let isOver = false;
  watch(client, idle);
  watch(upstream, 0);
  if (head.length > 0) toUpstream.pass(head);
  return { close };

  function watch(socket: Socket, timeout: number): void {
    ignoreErrors(socket);
    listenOnce(socket, "end", end);
    listen(socket, "timeout", goAway);
    socket.setTimeout(timeout).setNoDelay(true).setKeepAlive(true, keepAliveDelay);
    // The socket may have ended before it got this listener.
    if (socket.readableEnded || socket.destroyed) rightAfter(end);
    if (socket.closed) rightAfter(endSide);
    else listenOnce(socket, "close", endSide);
  }

  function end(): void {
    finish();
  }

  function endSide(): void {
    finish();
    openSides -= 1;
    if (openSides === 0) closed();
  }

  function goAway(): void {
    close(closeCodes.goingAway);
  }

  function close(code: CloseCode): void {
    if (isOver) return;
    sendBetweenFrames(client, toClient, closingFrameForClient(code));
    sendBetweenFrames(upstream, toUpstream, closingFrameForUpstream(code));
    finish(farewellPatience);
  }

  function finish(patience?: number): void {
    if (isOver) return;
    isOver = true;
    toUpstream.stop();
    toClient.stop();
    closeGently(client, patience);
    closeGently(upstream, patience);
  }
}
