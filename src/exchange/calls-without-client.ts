import type { Lifecycle } from "./lifecycle.ts";
import type { RouteLimits, RouteLoad } from "../capabilities/limits/route-limits.ts";

/** What a route allows, and how much of it is taken. */
export type LimitedRoute = Readonly<{
  limits: RouteLimits;
  load: RouteLoad;
  sending: () => Readonly<{ mostConnections: number | undefined }>;
}>;

/** A place that a call without a client has. */
export type HeldPlace = Readonly<{
  giveBack: () => void;
  /** Tells when the gateway begins to close, which waits for no such call, while the place is held. */
  onClosing: (listener: () => void) => void;
}>;

/**
 * Takes a place of the gateway, and of a route, for a call that goes on without a client. Undefined where such calls have as
 * many as they may, or the gateway is closing.
 */
export type HoldPlace = (route: LimitedRoute) => HeldPlace | undefined;

// What no client waits for costs connections all the same, and whoever wants may begin it with a short request.
const mostClientless = 32;

/** Makes the function that takes such places: never more than half of those that there are, as clients need the others. */
export function createHoldPlace(
  places: { taken: number },
  concurrent: () => number,
  { isClosing, onClose }: Pick<Lifecycle, "isClosing" | "onClose">,
): HoldPlace {
  let clientless = 0;
  const held = new Set<() => void>();
  onClose(() => {
    for (const tell of [...held]) tell();
  });
  return function holdPlace(route) {
    const { load } = route;
    if (isClosing() || clientless >= mostOf(concurrent()) || load.clientless >= mostOf(placesOf(route)))
      return undefined;
    let taken = 1;
    let listener: (() => void) | undefined;
    count(load, taken);
    const tell = (): void => listener?.();
    held.add(tell);
    return { giveBack, onClosing: (told) => (listener = told) };

    function giveBack(): void {
      held.delete(tell);
      count(load, -taken);
      taken = 0;
    }
  };

  function count(load: RouteLoad, more: number): void {
    clientless += more;
    places.taken += more;
    load.clientless += more;
    load.running += more;
  }
}

/** As many as may run at the same time, and have a connection. */
function placesOf({ limits, sending }: LimitedRoute): number {
  return Math.min(limits.concurrent ?? Infinity, sending().mostConnections ?? Infinity);
}

function mostOf(concurrent: number): number {
  return Math.min(mostClientless, Math.floor(concurrent / 2));
}
