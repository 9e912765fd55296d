import type { Capability } from "./capabilities/capability.ts";
import { addressLists } from "./capabilities/address-lists/address-lists.ts";
import { authentication } from "./capabilities/authentication/authentication.ts";
import { namedHandlers } from "./capabilities/delegating-handlers/named-handlers.ts";

/** What a route can ask for besides being forwarded, in the order in which it acts on a request. */
export const pipeline: readonly Capability[] = [addressLists, authentication, namedHandlers];
