import { isObject, type JsonObject } from "../../json/json-object.ts";
import { mostBytes } from "./answer-reader.ts";

/** The EndpointSlices of a service, by their names. */
export type KeptSlices = Readonly<{
  /** Keeps a slice of about that length, in the place of the one with its name. */
  set: (slice: JsonObject, length: number) => void;
  /** Whether there was one with its name. */
  delete: (slice: JsonObject) => boolean;
  all: () => readonly JsonObject[];
  /** Nobody needs them any more. */
  end: () => void;
}>;

type Kept = Readonly<{ slice: JsonObject; length: number }>;

// Those of a cluster of 150,000 pods, the most that Kubernetes is made for, have half of it.
const mostTogether = 16 * mostBytes;

/**
 * Prepares to keep the slices of the services of one registry: a watch may tell of others without end. Those of a service
 * are no longer than a list of them may be, and those of all services have a bound of their own.
 */
export function createSliceKeeper(): () => KeptSlices {
  let together = 0;

  return function keepSlices() {
    const byName = new Map<string, Kept>();
    let length = 0;
    return { set, delete: remove, all: () => [...byName.values()].map(({ slice }) => slice), end };

    function set(slice: JsonObject, own: number): void {
      const name = nameOf(slice);
      count(own - (byName.get(name)?.length ?? 0));
      byName.set(name, { slice: withoutRest(slice), length: own });
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

/** What is read of a slice: who manages it, and how, may be the longer part. */
function withoutRest({ addressType, ports, endpoints }: JsonObject): JsonObject {
  return { addressType, ports, endpoints };
}

function tooLong(whose: string, most: number): Error {
  return new Error(`Kubernetes has told EndpointSlices of ${whose} that have more than ${most} bytes.`);
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata.name === "string" ? metadata.name : "";
}
