import { isIPv6 } from "node:net";

const hostAndPort = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/;
// RFC 3986, 3.2.2: what a name or an IPv4 address is made of.
const hostName = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+$/i;
// Not ; and ' and %: Express reads a path behind them.
const plainAuthority = /^(?:[\w.~!$&()*+,=-]+|\[[\da-f:.]+\])(?::\d*)?$/i;
const largestPort = 65535;

/** The values of all `Host` headers, of which Node's `req.headers` keeps the first only. */
export function hostHeaders(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[index + 1]!);
  }
  return hosts;
}

// Nearly all requests name the same host as the one before.
let lastWellFormed = "";

/** Whether the value of a `Host` header is empty, or a host with an optional port. */
export function isWellFormedHost(value: string): boolean {
  if (value === lastWellFormed) return true;
  const isWellFormed = value === "" || isHostWithPort(value);
  if (isWellFormed) lastWellFormed = value;
  return isWellFormed;
}

function isHostWithPort(value: string): boolean {
  const [, host = "", port = ""] = hostAndPort.exec(value) ?? [];
  if (Number(port) > largestPort) return false;
  return host.startsWith("[") ? isIPv6(host.slice(1, -1)) : hostName.test(host);
}

/** Whether everybody agrees where the path begins behind the host of a request line. */
export function isPlainAuthority(authority: string): boolean {
  return plainAuthority.test(authority);
}

/** What routes with a host are looked up by: the header's value as it is, and without its port. */
export function hostKeys(host: string): readonly string[] {
  const full = host.toLowerCase();
  const bare = full.replace(/:\d*$/, "");
  return bare === full ? [full] : [full, bare];
}
