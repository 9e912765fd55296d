import { isIP } from "node:net";
import type { Instance } from "../hosts/host.ts";
import { canStandInOrigin } from "../hosts/host-origin.ts";
import { describeValue } from "../options/describe-value.ts";
import type { AllowsAddress, FoundInstance } from "./provider.ts";

/** What of a told list is believed, and why the rest is not. */
type ReadInstances = Readonly<{
  /** Those that take requests. */
  instances: readonly Instance[];
  /** Those that do not. */
  others: readonly Instance[];
  faults: readonly string[];
}>;

const hostName = /^(?!-)[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?$/;
// Resolvers and URLs read such names as addresses: 127.1, 2130706433, 0x7f000001.
const endsInNumber = /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i;
const longestHost = 253;
/** How many instances of one service count. */
export const mostInstances = 10_000;
// Of an unknown list, a fault may be told of each instance, and is longer than that.
const mostFaults = 20;
const schemes: readonly unknown[] = ["http", "https", undefined];

/** Reads a list of instances, which may hold anything: each good one once, in the order of the list. */
export function readInstances(told: readonly unknown[], allowsAddress: AllowsAddress): ReadInstances {
  const instances = new Map<string, Instance>();
  const others = new Map<string, Instance>();
  const faults = told.length > mostInstances ? [`Of more than ${mostInstances} instances only so many count.`] : [];
  for (const given of told.slice(0, mostInstances)) {
    const fault = findFault(given, allowsAddress);
    if (fault === undefined) add(given as FoundInstance);
    else if (faults.length < mostFaults) faults.push(fault);
  }
  return { instances: [...instances.values()], others: [...others.values()], faults };

  function add({ host, port, scheme, weight, ready }: FoundInstance): void {
    const place = JSON.stringify([host, port, scheme]);
    const read = ready === false ? others : instances;
    if (read.has(place)) return;
    read.set(place, {
      host,
      port,
      ...(scheme === undefined ? {} : { scheme }),
      ...(weight === undefined ? {} : { weight }),
    });
  }
}

function findFault(given: unknown, allowsAddress: AllowsAddress): string | undefined {
  if (typeof given !== "object" || given === null) return "An instance is no object.";
  const { host, port, scheme, weight } = given as Readonly<Record<string, unknown>>;
  if (!isHost(host)) return `The address ${show(host)} of an instance is neither an IP address nor a host name.`;
  if (!isPort(port)) return `The port ${show(port)} of the instance at ${show(host)} is not one from 1 to 65535.`;
  if (!schemes.includes(scheme)) {
    return `The scheme ${show(scheme)} of the instance at ${show(host)} is neither "http" nor "https".`;
  }
  if (weight !== undefined && !(typeof weight === "number" && weight >= 1 && weight <= 100)) {
    return `The weight ${show(weight)} of the instance at ${show(host)} is not one from 1 to 100.`;
  }
  if (allowsAddress(host)) return undefined;
  const where = "is on this machine, link-local, or otherwise no address of a service's";
  return `The address ${show(host)} of an instance ${where}: if it is right, list it in "AllowAddresses".`;
}

function isHost(host: unknown): host is string {
  if (typeof host !== "string" || host.length > longestHost) return false;
  return (isIP(host) !== 0 || (hostName.test(host) && !endsInNumber.test(host))) && canStandInOrigin(host);
}

function isPort(port: unknown): boolean {
  return typeof port === "number" && Number.isInteger(port) && port >= 1 && port <= 65_535;
}

const longestShown = 100;

/** What an unknown somebody has told is not logged at any length. */
function show(value: unknown): string {
  return describeValue(value).slice(0, longestShown);
}
