import { createAddressSet } from "../addresses/address-set.ts";
import { effectiveLists } from "../capabilities/address-lists/effective-lists.ts";
import { addressRefused, createMayComeIn } from "../capabilities/address-lists/judge-address.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { GatewayError } from "../errors.ts";

/** Judges a client by the lists that hold for a route, where its address is known; a refusal, or nothing. */
export function explainAddress(
  config: RouteConfig,
  global: GlobalConfig,
  address: string | undefined,
): GatewayError | undefined {
  const lists = address === undefined ? undefined : effectiveLists(config, global);
  if (lists === undefined) return undefined;
  const [allowed, blocked] = [createAddressSet(lists.allowed), createAddressSet(lists.blocked)];
  const mayComeIn = createMayComeIn({ allowed, blocked, excludesAllowed: lists.excludesAllowed });
  return mayComeIn(address!) ? undefined : addressRefused();
}
