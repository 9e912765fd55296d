import { isIP, SocketAddress } from "node:net";

const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * Reads an address so that it compares: without the zone that one of IPv6 may have, and as IPv4 where it is one that is
 * written as IPv6; undefined for anything else, an address with a port for instance.
 */
export function readAddress(text: string): SocketAddress | undefined {
  const version = isIP(text);
  if (version === 0) return undefined;
  if (version === 4) return new SocketAddress({ address: text, family: "ipv4" });
  const [address = ""] = text.split("%", 1);
  const read = new SocketAddress({ address, family: "ipv6" });
  const mapped = mappedAddress.exec(read.address)?.[1];
  return mapped === undefined ? read : new SocketAddress({ address: mapped, family: "ipv4" });
}
