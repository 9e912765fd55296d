import type { SchemeConfig } from "../../scheme-keys.ts";
import { readPlace, type TokenPlace } from "./token-places.ts";
import type { TokenCarriage } from "./token-scheme.ts";

const usualPlaces = ["Header"];

/** Where a scheme of the configuration finds tokens; those of a header travel on, unless it says otherwise. */
export function carriageOf(
  { From, Forward, SocketsOutliveToken = false }: SchemeConfig,
  clockTolerance: number,
): TokenCarriage {
  const places = placesIn(From);
  const socketTolerance = SocketsOutliveToken ? undefined : clockTolerance;
  return { places, forwards: forwardsTokens({ Forward }), socketTolerance };
}

/** Whether the tokens of a scheme travel on, where they came in a header. */
export function forwardsTokens({ Forward = true }: Pick<SchemeConfig, "Forward">): boolean {
  return Forward;
}

/** The places that `From` names, in order. */
export function placesIn(words: SchemeConfig["From"] = usualPlaces): readonly TokenPlace[] {
  return words.flatMap((word) => readPlace(word) ?? []);
}
