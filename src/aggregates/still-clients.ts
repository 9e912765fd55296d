import type { Socket } from "node:net";
import { createStandstill } from "../capabilities/timeouts/watch-download.ts";
import { createStandstillWatch } from "../unattended/watch-standstill.ts";

/** Clients that may stand still. */
export type StillClients = Readonly<{
  /** Watches a client; the function that comes back ends that. */
  watch: (socket: Socket, cut: () => void) => () => void;
  /** Cuts off the one that has stood still the longest; false where none has stood still for long enough. */
  cutLongest: () => boolean;
}>;

type Client = Readonly<{ standsStill: () => boolean; cut: () => void; watchAgain: () => void }>;

/** Knows which clients have taken nothing for so many milliseconds of what waits for them. */
export function createStillClients(milliseconds: number): StillClients {
  const watchStandstill = createStandstillWatch(milliseconds);
  /** In the order in which their time was over. */
  const still = new Set<Client>();
  return { watch, cutLongest };

  function watch(socket: Socket, cut: () => void): () => void {
    const standsStill = createStandstill(socket);
    const client = { standsStill, cut, watchAgain };
    let unwatch = watchStandstill(standsStill, () => still.add(client));
    return () => {
      unwatch();
      still.delete(client);
    };

    function watchAgain(): void {
      unwatch = watchStandstill(standsStill, () => still.add(client));
    }
  }

  function cutLongest(): boolean {
    for (const client of still) {
      still.delete(client);
      if (client.standsStill()) {
        client.cut();
        return true;
      }
      client.watchAgain();
    }
    return false;
  }
}
