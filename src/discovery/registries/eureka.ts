import type { FoundInstance, InstanceFinder } from "../provider.ts";
import type { Service } from "../service.ts";
import { isObject, type JsonObject } from "../../json/json-object.ts";
import type { RegistryClient } from "./registry-client.ts";

/** What is asked of Eureka besides the service. */
type EurekaSettings = Readonly<{ client: RegistryClient; token: () => Promise<string | undefined> }>;

const answerMilliseconds = 10_000;

/** Makes the finder that asks Eureka for the instances of an application: those that are up take requests. */
export function createEurekaFinder({ client, token }: EurekaSettings): InstanceFinder {
  return async function findInEureka({ name, scheme }, update, signal) {
    const known = await token();
    const headers = { authorization: known === undefined ? undefined : `Bearer ${known}` };
    const path = `/eureka/apps/${name.toUpperCase()}`;
    const { json, status } = await client.ask({
      path,
      headers,
      within: answerMilliseconds,
      signal,
      mayBeUnknown: true,
    });
    client.share.spend(() => update(status === 404 ? [] : readApplication(json, scheme)));
  };
}

function readApplication(json: unknown, scheme: Service["scheme"]): readonly FoundInstance[] {
  const { application } = isObject(json) ? json : {};
  if (!isObject(application)) throw new Error("Eureka has answered no application.");
  const { instance = [] } = application;
  // One instance alone may stand without a list around it.
  const instances = Array.isArray(instance) ? instance : [instance];
  return instances.filter(isObject).map((one) => ({ ...readInstance(one, scheme), ready: isUp(one) }));
}

function isUp({ status, overriddenStatus, overriddenstatus }: JsonObject): boolean {
  const overridden = overriddenStatus ?? overriddenstatus;
  return (overridden === undefined || overridden === "UNKNOWN" ? status : overridden) === "UP";
}

function readInstance({ hostName, ipAddr, port, securePort }: JsonObject, scheme: Service["scheme"]): FoundInstance {
  const isSecure = scheme === undefined ? isEnabled(securePort) : scheme === "https";
  const host = typeof hostName === "string" && hostName !== "" ? hostName : ipAddr;
  return { host, port: portOf(isSecure ? securePort : port), scheme: isSecure ? "https" : "http" } as FoundInstance;
}

function isEnabled(port: unknown): boolean {
  return isObject(port) && [true, "true"].includes(port["@enabled"] as string);
}

function portOf(port: unknown): unknown {
  const told = isObject(port) ? port.$ : port;
  return typeof told === "string" ? Number(told) : told;
}
