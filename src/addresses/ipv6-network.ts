import type { SocketAddress } from "node:net";
import { groupsOf } from "./ipv6-groups.ts";

const groupsOfNetwork = 4;

/** One client of IPv6 has as many addresses as it likes, in a network of its own. */
export function networkOf({ address, family }: SocketAddress): string {
  if (family === "ipv4") return address;
  return groupsOf(address)
    .slice(0, groupsOfNetwork)
    .map((group) => group.toString(16))
    .join(":");
}
