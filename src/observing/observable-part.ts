import type { GatewayContext } from "../delegating-handler.ts";
import type { PlaceholderValues } from "../templates/fill-template.ts";
import type { OfferingExchange } from "./headers-observers-may-add.ts";

/** What of a call, or of the whole, says to whom it goes, and which of its values are secrets. */
export type AskedPart = Readonly<{ context: GatewayContext; matched: Readonly<{ values: PlaceholderValues }> }>;

/** What of the call of a part observers learn something from. */
export type ObservablePart = OfferingExchange & AskedPart;
