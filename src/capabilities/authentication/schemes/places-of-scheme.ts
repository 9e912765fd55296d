import type { Authenticator } from "../authenticator.ts";
import { type CredentialPlaces, joinPlaces } from "../credential-places.ts";
import type { SchemeConfig } from "../scheme-keys.ts";
import { defaultHeader } from "./api-key.ts";
import { forwardsTokens, placesIn } from "./tokens/carriage.ts";

/** Where a scheme of the configuration reads credentials. */
export function placesOf({ Type, Header = defaultHeader, From }: SchemeConfig): CredentialPlaces {
  return Type === "ApiKey" ? { headers: [Header] } : joinPlaces(placesIn(From).map(({ reads }) => reads));
}

/** What becomes of the credentials of a scheme of the configuration, which need not be made for that. */
export function carrierOf(scheme: SchemeConfig): Pick<Authenticator, "reads" | "forwards"> {
  return { reads: placesOf(scheme), forwards: scheme.Type !== "ApiKey" && forwardsTokens(scheme) };
}
