import type { Instance } from "../../hosts/host.ts";
import { mostInstances } from "../read-instances.ts";
import type { Service } from "../service.ts";
import { isObject, type JsonObject, listOf } from "../../json/json-object.ts";

/** What is read of a slice: where its endpoints that are ready stand, and about how many bytes of memory that takes. */
export type ReadSlice = Readonly<{ isVersion4: boolean; instances: readonly Instance[]; length: number }>;

const lengthOfInstance = 100;
const mostCollected = mostInstances + 1;

/** Reads who is ready of a slice: no more of them than count, and one, so that it is told. */
export function readSlice({ addressType, endpoints, ports }: JsonObject, scheme: Service["scheme"]): ReadSlice {
  const port = choosePort(objectsOf(ports), scheme);
  const instances: Instance[] = [];
  let length = 0;
  for (const endpoint of port === undefined ? [] : listOf(endpoints)) {
    if (instances.length === mostCollected) break;
    if (!isObject(endpoint) || !isReady(endpoint)) continue;
    const instance = { host: firstAddressOf(endpoint), port: portOf(port!), scheme: schemeOf(port!) };
    instances.push(instance as Instance);
    length += lengthOfInstance + 2 * (instance.host?.length ?? 0);
  }
  return { isVersion4: addressType === "IPv4", instances, length };
}

/** Puts together who is ready of all slices; where a service has addresses of both kinds, those of IPv4. */
export function collectInstances(all: Iterable<ReadSlice>): readonly Instance[] {
  const slices = [...all];
  const ofVersion4 = collect(slices.filter(({ isVersion4 }) => isVersion4));
  return ofVersion4.length > 0 ? ofVersion4 : collect(slices);
}

function collect(slices: readonly ReadSlice[]): readonly Instance[] {
  const collected: Instance[] = [];
  for (const { instances } of slices) {
    for (const instance of instances) {
      if (collected.length === mostCollected) return collected;
      collected.push(instance);
    }
  }
  return collected;
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
