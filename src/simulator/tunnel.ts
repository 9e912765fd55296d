import type { Duplex } from "node:stream";

/** How long a tunnel lives: until both sides have ended, one side fails, or the signal aborts. */
export type TunnelLimits = Readonly<{ closeMilliseconds: number; signal: AbortSignal }>;

/** Passes bytes both ways until both sides are closed. */
export function tunnel(client: Duplex, service: Duplex, limits: TunnelLimits): void {
  let timer: NodeJS.Timeout | undefined;
  const destroyBoth = () => {
    clearTimeout(timer);
    limits.signal.removeEventListener("abort", destroyBoth);
    client.destroy();
    service.destroy();
  };
  // A side that has ended waits for the other one, but not for ever.
  const awaitOtherEnd = () => (timer ??= setTimeout(destroyBoth, limits.closeMilliseconds));
  for (const [side, other] of [
    [client, service],
    [service, client],
  ] as const) {
    side.on("error", destroyBoth);
    side.on("end", awaitOtherEnd);
    side.on("close", () => (side.readableEnded && !other.destroyed ? awaitOtherEnd() : destroyBoth()));
    side.pipe(other);
  }
  if (limits.signal.aborted) destroyBoth();
  else limits.signal.addEventListener("abort", destroyBoth);
}
