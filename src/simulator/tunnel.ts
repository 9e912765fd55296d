import type { Duplex } from "node:stream";
import { after, listen } from "../unattended/guarded.ts";

/** How long a tunnel lives: until both sides have ended, one side fails, or the signal aborts. */
type TunnelLimits = Readonly<{ closeMilliseconds: number; signal: AbortSignal }>;

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
  const awaitOtherEnd = () => (timer ??= after(limits.closeMilliseconds, destroyBoth));
  for (const [side, other] of [
    [client, service],
    [service, client],
  ] as const) {
    listen(side, "error", destroyBoth);
    listen(side, "end", awaitOtherEnd);
    listen(side, "close", () => (side.readableEnded && !other.destroyed ? awaitOtherEnd() : destroyBoth()));
    side.pipe(other);
  }
  if (limits.signal.aborted) destroyBoth();
  else limits.signal.addEventListener("abort", destroyBoth);
}
