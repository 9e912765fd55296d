import { placeService, type PlacedPartition } from "./place-service.ts";
import { nameFromText } from "./service-name.ts";
import type { Service } from "./service.ts";

/** A service that was found, under the name it is registered with. */
export type FoundService = Readonly<{ name: string; partitions: readonly PlacedPartition[] }>;

/** The services of the cluster by name. */
export type ServiceTable = Readonly<{
  add: (name: string, service: Service) => void;
  remove: (name: string) => void;
  /** The registered spelling of a service name; throws for a service that is not there. */
  nameOf: (name: string) => string;
  /** The service with the longest name that the given one begins with, segment by segment. */
  findLongest: (name: string) => FoundService | undefined;
}>;

/** Makes the table; names may be written with or without `fabric:/`. */
export function createServiceTable(services: Readonly<Record<string, Service>>): ServiceTable {
  const placed = new Map<string, readonly PlacedPartition[]>();
  const table: ServiceTable = {
    add(name, service) {
      placed.set(toRegisteredName(name), placeService(name, service));
    },
    remove(name) {
      placed.delete(toRegisteredName(name));
    },
    nameOf(name) {
      const registered = toRegisteredName(name);
      if (placed.has(registered)) return registered;
      const known = JSON.stringify([...placed.keys()]);
      throw new TypeError(`Unknown service ${JSON.stringify(name)}: expected one of ${known}`);
    },
    findLongest(name) {
      const path = `${name}/`;
      const prefixes = [...placed.keys()].filter((candidate) => path.startsWith(`${candidate}/`));
      const longest = prefixes.reduce((best, candidate) => (candidate.length > best.length ? candidate : best), "");
      const partitions = placed.get(longest);
      return partitions && { name: longest, partitions };
    },
  };
  for (const [name, service] of Object.entries(services)) table.add(name, service);
  return table;
}

function toRegisteredName(text: string): string {
  const name = nameFromText(text);
  if (name !== undefined) return name;
  throw new TypeError(
    `Invalid service name ${JSON.stringify(text)}: expected segments with "/" between them and none of $ + | ~, such as "App/Api"`,
  );
}
