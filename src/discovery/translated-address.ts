import { isIPv6, SocketAddress } from "node:net";
import { groupsOf } from "../addresses/ipv6-groups.ts";

type Form = Readonly<{ first: readonly number[]; at: number }>;

// Groups of 16 bits: how such an address begins, and where the address of IPv4 stands in it.
const forms: readonly Form[] = [
  // IPv4-compatible, ::a.b.c.d, IPv4-mapped, ::ffff:a.b.c.d, and IPv4-translated, ::ffff:0:a.b.c.d.
  { first: [0, 0, 0, 0, 0, 0], at: 6 },
  { first: [0, 0, 0, 0, 0, 0xffff], at: 6 },
  { first: [0, 0, 0, 0, 0xffff, 0], at: 6 },
  // NAT64, 64:ff9b::/96.
  { first: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  // 6to4, 2002::/16.
  { first: [0x2002], at: 1 },
];

/** The address of IPv4 that stands in one of IPv6 and to which networks may lead it; undefined where there is none. */
export function readTranslated(text: string): string | undefined {
  const [address = ""] = text.split("%", 1);
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(new SocketAddress({ address, family: "ipv6" }).address);
  const form = forms.find(({ first }) => first.every((group, index) => group === groups[index]));
  if (form === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(form.at);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
