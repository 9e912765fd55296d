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
  return { places, forwards: Forward ?? true, socketTolerance: SocketsOutliveToken ? undefined : clockTolerance };
}

/** The places that `From` names, in order. */
export function placesIn(words: SchemeConfig["From"] = usualPlaces): readonly TokenPlace[] {
  return words.flatMap((word) => readPlace(word) ?? []);
}
