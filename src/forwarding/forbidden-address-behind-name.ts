import type { LookupAddress } from "node:dns";
import { createAddressRule } from "../discovery/believed-addresses.ts";
import type { ConnectionSettings } from "../capabilities/tls/connection-settings.ts";
import { lookUp } from "./look-up.ts";

const rules = new WeakMap<ConnectionSettings, typeof lookUp>();

/** How the hosts of connections are looked up: what somebody has told may lead to an address where no service should stand. */
export function lookUpBy(settings: ConnectionSettings): typeof lookUp {
  if (settings.allowedAddresses === undefined) return lookUp;
  let lookUpAllowed = rules.get(settings);
  if (lookUpAllowed === undefined) rules.set(settings, (lookUpAllowed = createLookUp(settings.allowedAddresses)));
  return lookUpAllowed;
}

function createLookUp(allowed: readonly string[]): typeof lookUp {
  const allowsAddress = createAddressRule(allowed);
  return function lookUpAllowed(hostname, options, found) {
    lookUp(hostname, options, (error, address, family) => {
      // Beside an error Node gives no address.
      const forbidden = error === null ? addressesOf(address).find((one) => !allowsAddress(one)) : undefined;
      if (forbidden === undefined) found(error, address, family);
      else found(forbiddenAt(hostname, forbidden), [], undefined);
    });
  };
}

function addressesOf(found: string | LookupAddress[]): readonly string[] {
  return typeof found === "string" ? [found] : found.map(({ address }) => address);
}

function forbiddenAt(hostname: string, address: string): NodeJS.ErrnoException {
  const found = `${hostname} is at ${address}, where no service should stand`;
  const remedy = `if it is right, list the address in "AllowAddresses" of the provider`;
  return Object.assign(new Error(`${found}: ${remedy}.`), { code: "ENOTFOUND" });
}
