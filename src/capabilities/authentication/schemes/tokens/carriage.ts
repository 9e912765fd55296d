import type { SchemeConfig } from "../../scheme-keys.ts";
import { readPlace } from "./token-places.ts";
import type { TokenCarriage } from "./token-scheme.ts";

const usualPlaces = ["Header"];

/** Where a scheme of the configuration finds tokens; those of a header travel on, unless it says otherwise. */
export function carriageOf(
  { From = usualPlaces, Forward, SocketsOutliveToken = false }: SchemeConfig,
  clockTolerance: number,
): TokenCarriage {
  const places = From.flatMap((word) => readPlace(word) ?? []);
  return { places, forwards: Forward ?? true, socketTolerance: SocketsOutliveToken ? undefined : clockTolerance };
}
