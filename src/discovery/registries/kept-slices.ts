import { isObject, type JsonObject } from "../../json/json-object.ts";
import { mostBytes } from "./answer-reader.ts";

/** The EndpointSlices of a service, by their names, as long as all together are no longer than a list of them may be. */
export type KeptSlices = Readonly<{
  /** Keeps a slice of about that length, in the place of the one with its name. */
  set: (slice: JsonObject, length: number) => void;
  /** Whether there was one with its name. */
  delete: (slice: JsonObject) => boolean;
  all: () => readonly JsonObject[];
}>;

type Kept = Readonly<{ slice: JsonObject; length: number }>;

/** Begins with none. A watch may tell of others without end. */
export function keepSlices(): KeptSlices {
  const byName = new Map<string, Kept>();
  let length = 0;
  return { set, delete: remove, all: () => [...byName.values()].map(({ slice }) => slice) };

  function set(slice: JsonObject, own: number): void {
    const name = nameOf(slice);
    length += own - (byName.get(name)?.length ?? 0);
    if (length > mostBytes) throw new Error(`Kubernetes has told EndpointSlices of more than ${mostBytes} bytes.`);
    byName.set(name, { slice, length: own });
  }

  function remove(slice: JsonObject): boolean {
    const name = nameOf(slice);
    length -= byName.get(name)?.length ?? 0;
    return byName.delete(name);
  }
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) ? String(metadata.name) : "";
}
