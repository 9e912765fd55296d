import type { RouteIndex } from "../../routing/index/route-index.ts";
import type { Steps } from "../../time-slices.ts";
import type { ParameterPlace } from "./client-path.ts";
import { placesOf, type SetParameters, type WrittenParameter } from "./describe-parameters.ts";
import { type FilledPlace, findsRoute } from "./prove-path.ts";
import type { ReachableOperation } from "./reachable-operations.ts";
import type { ReadOffers } from "./read-offers.ts";

/** Whether the value of a parameter has a say in which route takes a request. */
export type Decides = (place: ParameterPlace) => boolean;

/** What offers are proven with. */
export type OfferSettings<R> = Readonly<{
  index: Pick<RouteIndex<R>, "find">;
  decides: Decides;
  readOffers: ReadOffers;
}>;

const mostCombinations = 1_000;

/**
 * Whether the route gets what clients ask for there with each of the values that the document offers, in all combinations:
 * tools fill them in by themselves, and a service could have others ask for what is another's.
 */
export function* offersLeadToRoute<R>(
  { client, route, found, bindings, method }: ReachableOperation<R>,
  { parameters, set }: Readonly<{ parameters: readonly WrittenParameter[]; set: SetParameters }>,
  { index, decides, readOffers }: OfferSettings<R>,
): Steps<boolean> {
  const choices: (readonly (FilledPlace | undefined)[])[] = [];
  let combinations = 1;
  for (const { resolved } of parameters) {
    const places = placesOf(resolved, { client, set }).filter(decides);
    const offers = places.length === 0 ? new Set<string>() : yield* readOffers(resolved);
    if (offers === undefined) return false;
    for (const place of offers.size === 0 ? [] : places) {
      // None of them is a choice, too.
      choices.push([undefined, ...[...offers].flatMap((text) => fillings(place, text))]);
      combinations *= choices.at(-1)!.length;
      if (combinations > mostCombinations) return false;
    }
  }
  const supposed = { segments: found.segments, route, client, bindings };
  for (let number = 1; number < combinations; number += 1) {
    yield;
    if (!findsRoute(supposed, { method, filled: combinationOf(choices, number) }, index)) return false;
  }
  return true;
}

/** Most tools encode what stands in a path, and some leave it as it is. */
function fillings(place: ParameterPlace, text: string): readonly FilledPlace[] {
  if (place.in !== "path") return [{ place, text }];
  const texts = new Set([encodeURIComponent(text.toWellFormed()), text.replaceAll("\\", "/")]);
  return [...texts].map((written) => ({ place, text: written }));
}

/** Counts through the choices as through the digits of a number. */
function combinationOf(choices: readonly (readonly (FilledPlace | undefined)[])[], number: number): FilledPlace[] {
  let left = number;
  const filled: FilledPlace[] = [];
  for (const choice of choices) {
    const chosen = choice[left % choice.length];
    if (chosen !== undefined) filled.push(chosen);
    left = Math.floor(left / choice.length);
  }
  return filled;
}
