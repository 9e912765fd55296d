import type { FoundInstance } from "../provider.ts";
import { mostInstances } from "../read-instances.ts";
import type { Service } from "../service.ts";
import { isObject, type JsonObject, listOf } from "../../json/json-object.ts";

/** What is read of a slice: where its endpoints stand, and about how many bytes of memory that takes. */
export type ReadSlice = Readonly<{
  isVersion4: boolean;
  ready: readonly FoundInstance[];
  others: readonly FoundInstance[];
  length: number;
}>;

const lengthOfInstance = 100;
const mostCollected = mostInstances + 1;

/** Reads the endpoints of a slice: no more of them than count, and one, so that it is told. */
export function readSlice({ addressType, endpoints, ports }: JsonObject, scheme: Service["scheme"]): ReadSlice {
  const port = choosePort(objectsOf(ports), scheme);
  const all = port === undefined ? [] : objectsOf(endpoints);
  const ready = all.filter(isReady).slice(0, mostCollected);
  const others = all.filter((endpoint) => !isReady(endpoint)).slice(0, mostCollected - ready.length);
  let length = 0;
  const slice = { isVersion4: addressType === "IPv4", ready: ready.map(read), others: others.map(readOther) };
  return { ...slice, length };

  function read(endpoint: JsonObject): FoundInstance {
    const host = firstAddressOf(endpoint);
    length += lengthOfInstance + 2 * (host?.length ?? 0);
    return { host, port: portOf(port!), scheme: schemeOf(port!) } as FoundInstance;
  }

  function readOther(endpoint: JsonObject): FoundInstance {
    return { ...read(endpoint), ready: false };
  }
}

/** Puts together the endpoints of all slices; where a service has ready ones of IPv4, all others count as not ready. */
export function collectInstances(all: Iterable<ReadSlice>): readonly FoundInstance[] {
  const slices = [...all];
  const ofVersion4 = slices.filter(({ isVersion4 }) => isVersion4);
  const asked = ofVersion4.some(({ ready }) => ready.length > 0) ? ofVersion4 : slices;
  const collected: FoundInstance[] = [];
  for (const { ready } of asked) collect(ready, collected);
  for (const { others } of slices) collect(others, collected);
  if (asked !== slices) {
    for (const { isVersion4, ready } of slices) if (!isVersion4) collect(ready.map(asOther), collected);
  }
  return collected;
}

function collect(instances: readonly FoundInstance[], collected: FoundInstance[]): void {
  for (const instance of instances) {
    if (collected.length === mostCollected) return;
    collected.push(instance);
  }
}

function asOther(instance: FoundInstance): FoundInstance {
  return { ...instance, ready: false };
}

/** The port that is called like the scheme, else the only or first one. */
function choosePort(ports: readonly JsonObject[], scheme: Service["scheme"]): JsonObject | undefined {
  const usable = ports.filter(({ protocol = "TCP" }) => protocol === null || protocol === "TCP");
  const named = usable.find(({ name }) => scheme !== undefined && isWord(name, scheme));
  return named ?? usable[0];
}

function schemeOf({ name, appProtocol }: JsonObject): "http" | "https" {
  return [name, appProtocol].some((word) => isWord(word, "https")) ? "https" : "http";
}

function isWord(told: unknown, word: string): boolean {
  return typeof told === "string" && told.toLowerCase() === word;
}

/** What does not say is ready. */
function isReady({ conditions }: JsonObject): boolean {
  return !isObject(conditions) || conditions.ready !== false;
}

/** All addresses of an endpoint lead to the same one; what is no text would be kept at any length. */
function firstAddressOf({ addresses }: JsonObject): string | undefined {
  const [host] = listOf(addresses);
  return typeof host === "string" ? host : undefined;
}

function portOf({ port }: JsonObject): number | undefined {
  return typeof port === "number" ? port : undefined;
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}
