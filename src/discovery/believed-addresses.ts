import { isIP } from "node:net";
import { type AddressSet, createAddressSet } from "../addresses/address-set.ts";
import { readAddress } from "../addresses/read-address.ts";
import { readTranslated } from "./translated-address.ts";
import type { AllowsAddress } from "./provider.ts";

const loopback = ["127.0.0.0/8", "::1"];
const neverAService = [
  ...["0.0.0.0/8", "::", "169.254.0.0/16", "fe80::/10", "224.0.0.0/4", "ff00::/8"],
  // Reserved, with the broadcast address; and where clouds tell their machines their credentials.
  ...["240.0.0.0/4", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
];

const isLoopback = createAddressSet(loopback)!;
const isForbidden = createAddressSet([...loopback, ...neverAService])!;

/** Makes the rule for where instances may stand; the listed addresses, or all of them, are allowed. */
export function createAddressRule(allowed: readonly string[] | undefined): AllowsAddress {
  if (allowed === undefined) return allowAnyAddress;
  const isAllowed = createAddressSet(allowed);
  return function allowsAddress(host) {
    if (isThisMachine(host)) return isAmong(isAllowed, "127.0.0.1") && isAmong(isAllowed, "::1");
    return isIP(host) === 0 || !leadsInto(isForbidden, host) || isAmong(isAllowed, host);
  };
}

function allowAnyAddress(): boolean {
  return true;
}

/** Whether a host is this machine, as far as its name tells. */
export function standsOnLoopback(host: string): boolean {
  return isThisMachine(host) || isAmong(isLoopback, host);
}

function isThisMachine(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host);
}

/** Whether an address is in a set, or the one of IPv4 to which a network may lead it. */
function leadsInto(set: AddressSet, host: string): boolean {
  const embedded = readTranslated(host);
  return isAmong(set, host) || (embedded !== undefined && isAmong(set, embedded));
}

function isAmong(set: AddressSet | undefined, host: string): boolean {
  const address = readAddress(host);
  return address !== undefined && set?.(address) === true;
}
