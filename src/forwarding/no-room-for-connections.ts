import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { codeOf } from "./failure-code.ts";

const ownLack = /^E(?:[MN]FILE|NOMEM|NOBUFS|ADDRNOTAVAIL)$/;

/**
 * Whether the gateway's own process, or its machine, has no room for another connection: no file, memory or local port for
 * it. That says nothing about the host.
 */
export function isOwnLack(failure: unknown): boolean {
  // Of a name with several addresses each has failed in its way.
  const failures: readonly unknown[] = failure instanceof AggregateError ? failure.errors : [failure];
  return failures.length > 0 && failures.every((each) => ownLack.test(codeOf(each)) && !lacksAddress(each));
}

/** A machine without IPv6 tells of a host's IPv6 address what others tell of their ports. */
function lacksAddress(failure: unknown): boolean {
  const { address = "" } = failure as { address?: string };
  return codeOf(failure) === "EADDRNOTAVAIL" && isIPv6(address) && !hasIpv6();
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === "IPv6"));
}
