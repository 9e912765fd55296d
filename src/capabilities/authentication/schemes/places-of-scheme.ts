import { type CredentialPlaces, joinPlaces } from "../credential-places.ts";
import type { SchemeConfig } from "../scheme-keys.ts";
import { defaultHeader } from "./api-key.ts";
import { placesIn } from "./tokens/carriage.ts";

/** Where a scheme of the configuration reads credentials. */
export function placesOf({ Type, Header = defaultHeader, From }: SchemeConfig): CredentialPlaces {
  return Type === "ApiKey" ? { headers: [Header] } : joinPlaces(placesIn(From).map(({ reads }) => reads));
}
