import { readAddress } from "../../addresses/read-address.ts";
import type { AddressSet } from "../../addresses/address-set.ts";
import { rememberPerText } from "../../remember-per-text.ts";
import { type GatewayError, RequestError } from "../../errors.ts";

/** Lists that were compiled; undefined for one without entries. */
export type CompiledLists = Readonly<{
  allowed: AddressSet | undefined;
  blocked: AddressSet | undefined;
  excludesAllowed: boolean;
}>;

/** Prepares to judge addresses as they are written; what is none is refused by every list. */
export function createMayComeIn({ allowed, blocked, excludesAllowed }: CompiledLists): (written: string) => boolean {
  return rememberPerText(function mayComeIn(written) {
    const address = readAddress(written);
    if (address === undefined) return false;
    const isAllowed = allowed?.(address) ?? true;
    const isBlocked = blocked?.(address) === true && !(excludesAllowed && allowed !== undefined && isAllowed);
    return isAllowed && !isBlocked;
  });
}

/** What a request is refused for whose client may not come in from where it is. */
export function addressRefused(): GatewayError {
  return new RequestError("address-refused", "Clients with this address may not come in here.");
}
