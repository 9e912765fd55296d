import { BlockList, type SocketAddress } from "node:net";
import { type AddressRule, readAddressRule } from "./address-rule.ts";

/** Whether an address is among those that a list names. */
export type AddressSet = (address: SocketAddress) => boolean;

/** Compiles a list of addresses, networks and ranges that was read before; undefined for one without entries. */
export function createAddressSet(texts: readonly string[]): AddressSet | undefined {
  if (texts.length === 0) return undefined;
  // In a list of both, a network of IPv6 would hold addresses of IPv4.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of texts) addRule(lists, readAddressRule(text)!);
  return function isAmong(address) {
    return lists[address.family].check(address);
  };
}

function addRule(lists: Readonly<Record<SocketAddress["family"], BlockList>>, rule: AddressRule): void {
  if ("address" in rule) lists[rule.address.family].addAddress(rule.address);
  else if ("network" in rule) lists[rule.network.family].addSubnet(rule.network, rule.bits);
  else lists[rule.first.family].addRange(rule.first, rule.last);
}
