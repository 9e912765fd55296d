import type { Instance } from "../../hosts/host.ts";
import type { Service } from "../service.ts";
import { isObject, type JsonObject, listOf } from "../../json/json-object.ts";

/** Reads who is ready of all slices; where a service has addresses of both kinds, those of IPv4. */
export function readSlices(all: readonly JsonObject[], scheme: Service["scheme"]): readonly Instance[] {
  const ofVersion4 = all
    .filter(({ addressType }) => addressType === "IPv4")
    .flatMap((slice) => readSlice(slice, scheme));
  return ofVersion4.length > 0 ? ofVersion4 : all.flatMap((slice) => readSlice(slice, scheme));
}

function readSlice({ endpoints, ports }: JsonObject, scheme: Service["scheme"]): readonly Instance[] {
  const port = choosePort(objectsOf(ports), scheme);
  if (port === undefined) return [];
  const own = schemeOf(port);
  return objectsOf(endpoints)
    .filter(isReady)
    .map(({ addresses }) => {
      // All addresses of an endpoint lead to the same one.
      const [host] = Array.isArray(addresses) ? (addresses as unknown[]) : [];
      return { host, port: port.port, scheme: own } as Instance;
    });
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

function objectsOf(value: unknown): readonly JsonObject[] {
  return listOf(value).filter(isObject);
}
