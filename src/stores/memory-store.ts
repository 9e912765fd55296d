import { hash } from "node:crypto";
import { beginCount, describeCount, takeOne } from "./count.ts";
import { addCount, createCountedClients, findCount, groupOf, keepRefused } from "./counted-clients.ts";
import type { Store } from "./store.ts";

/** What {@link memoryStore} takes. */
export type MemoryStoreOptions = Readonly<{
  /** How many clients are counted at the same time: 100,000 by default. */
  clients?: number;
  /** The clock in milliseconds, which never goes back. */
  now?: () => number;
}>;

const usualClients = 100_000;

/** Makes a store of this process alone. Its memory is bounded, however many names clients think up. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const { clients: most = usualClients, now: readClock = () => performance.now() } = options;
  const clients = createCountedClients(most);

  return {
    take({ group, client, quota, amount }) {
      const now = readClock();
      const place = { group: groupOf(clients, group), key: hashOf(client), now, quota };
      const found = findCount(clients, place);
      if (amount === 0) return describeCount(found ?? beginCount(now, quota), now, quota);
      const count = found ?? addCount(clients, place);
      takeOne(count, now, quota);
      if (count.isRefused) keepRefused(place, count);
      return describeCount(count, now, quota);
    },
  };
}

const keyBytes = 16;

/** Names may be as long as a header: of each only this much is kept. */
function hashOf(client: string): string {
  return hash("sha256", client, "buffer").toString("latin1", 0, keyBytes);
}
