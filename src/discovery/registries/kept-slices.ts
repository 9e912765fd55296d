import type { FoundInstance } from "../provider.ts";
import { isObject, type JsonObject } from "../../json/json-object.ts";
import type { Service } from "../service.ts";
import { mostBytes } from "./answer-reader.ts";
import { collectInstances, type ReadSlice, readSlice } from "./read-slices.ts";

/** What is known of the EndpointSlices of a service, by their names. */
export type KeptSlices = Readonly<{
  /** Reads a slice of about that length, and keeps it in the place of the one with its name. */
  set: (slice: JsonObject, length: number) => void;
  /** Whether there was one with its name. */
  delete: (slice: JsonObject) => boolean;
  /** The endpoints of all of them. */
  instances: () => readonly FoundInstance[];
  /** Nobody needs them any more. */
  end: () => void;
}>;

// Those of a cluster of 150,000 pods, the most that Kubernetes is made for, have half of it.
const mostTogether = 16 * mostBytes;
// What is kept of a slice beside its instances and its name.
const lengthOfSlice = 200;

/**
 * Prepares to keep the slices of the services of one registry: a watch may tell of others without end. Those of a service
 * are no longer than a list of them may be, and those of all services have a bound of their own; a slice of which more is
 * kept than its text is long counts as what is kept.
 */
export function createSliceKeeper(): (scheme?: Service["scheme"]) => KeptSlices {
  let together = 0;

  return function keepSlices(scheme) {
    const byName = new Map<string, ReadSlice>();
    let length = 0;
    return { set, delete: remove, instances: () => collectInstances(byName.values()), end };

    function set(slice: JsonObject, told: number): void {
      const name = nameOf(slice);
      const read = readSlice(slice, scheme);
      const own = Math.max(told, read.length + lengthOfSlice + 2 * name.length);
      count(own - (byName.get(name)?.length ?? 0));
      byName.set(name, { ...read, length: own });
      if (length > mostBytes) throw tooLong("a service", mostBytes);
      if (together > mostTogether) throw tooLong("all services", mostTogether);
    }

    function remove(slice: JsonObject): boolean {
      const name = nameOf(slice);
      count(-(byName.get(name)?.length ?? 0));
      return byName.delete(name);
    }

    function end(): void {
      count(-length);
      byName.clear();
    }

    function count(more: number): void {
      length += more;
      together += more;
    }
  };
}

function tooLong(whose: string, most: number): Error {
  return new Error(`Kubernetes has told EndpointSlices of ${whose} that have more than ${most} bytes.`);
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata.name === "string" ? metadata.name : "";
}
