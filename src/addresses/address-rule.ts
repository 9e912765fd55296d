import { BlockList, isIPv4, SocketAddress } from "node:net";
import { readAddress } from "./read-address.ts";

/** Addresses that a list names: one, those of a network, or those from one to another. */
export type AddressRule =
  | Readonly<{ address: SocketAddress }>
  | Readonly<{ network: SocketAddress; bits: number }>
  | Readonly<{ first: SocketAddress; last: SocketAddress }>;

const bitsOf = { ipv4: 32, ipv6: 128 } as const;
// IPv4 that is written as IPv6 stands behind so many bits.
const mappedBits = bitsOf.ipv6 - bitsOf.ipv4;
const range = /^([^-–]+)[-–]([^-–]+)$/;
const network = /^([^/]+)\/([^/]+)$/;
const wholeNumber = /^(?:0|[1-9]\d{0,2})$/;

/** Reads `a`, `net/bits`, `net/mask`, `a-b` and `a.b.c.d-e`, the hyphen also as en dash; undefined for anything else. */
export function readAddressRule(text: string): AddressRule | undefined {
  const [, first, last] = range.exec(text) ?? [];
  if (first !== undefined && last !== undefined) return readRange(first.trim(), last.trim());
  const [, base, size] = network.exec(text) ?? [];
  if (base !== undefined && size !== undefined) return readNetwork(base.trim(), size.trim());
  const address = readExactAddress(text.trim());
  return address && { address };
}

/** A zone means something on one machine only, and the addresses of clients are compared without. */
function readExactAddress(text: string): SocketAddress | undefined {
  return text.includes("%") ? undefined : readAddress(text);
}

function readRange(from: string, to: string): AddressRule | undefined {
  const first = readExactAddress(from);
  const isShort = isIPv4(from) && wholeNumber.test(to);
  const last = readExactAddress(isShort ? from.replace(/\d+$/, to) : to);
  return first && last && isInOrder(first, last) ? { first, last } : undefined;
}

const lowest = { ipv4: "0.0.0.0", ipv6: "::" } as const;

function isInOrder(first: SocketAddress, last: SocketAddress): boolean {
  if (first.family !== last.family) return false;
  const upToLast = new BlockList();
  upToLast.addRange(new SocketAddress({ address: lowest[last.family], family: last.family }), last);
  return upToLast.check(first);
}

function readNetwork(base: string, size: string): AddressRule | undefined {
  const first = readExactAddress(base);
  if (first === undefined) return undefined;
  const { family } = first;
  const isMapped = family === "ipv4" && base.includes(":");
  const bits = wholeNumber.test(size) ? Number(size) - (isMapped ? mappedBits : 0) : bitsOfMask(size, family);
  return bits >= 0 && bits <= bitsOf[family] ? { network: first, bits } : undefined;
}

/** How many bits a mask such as 255.255.252.0 has; one with a hole has none. */
function bitsOfMask(mask: string, family: SocketAddress["family"]): number {
  if (family !== "ipv4" || !isIPv4(mask)) return Number.NaN;
  const digits = mask.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  const ones = /^(1*)0*$/.exec(digits.join(""))?.[1];
  return ones === undefined ? Number.NaN : ones.length;
}
