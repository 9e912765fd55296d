import { OverloadError } from "../errors.ts";
import type { RouteHost } from "./host.ts";

/** Refuses a request for which there is no host: none is known, or all of them fail. */
export function refuseWithoutHost(hosts: readonly RouteHost[]): never {
  if (hosts.length === 0) {
    throw new OverloadError("no-instances", "The upstream has no instances at the moment.", { headers: retryIn(0) });
  }
  const wait = Math.min(...hosts.map(({ breaker }) => breaker?.wait() ?? 0));
  throw new OverloadError("circuit-open", "The upstream has failed too often, and is left alone for a while.", {
    headers: retryIn(wait),
  });
}

function retryIn(milliseconds: number): Readonly<Record<string, string>> {
  return { "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1_000))) };
}
