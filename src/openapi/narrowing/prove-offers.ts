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
type OfferSettings<R> = Readonly<{
  index: Pick<RouteIndex<R>, "find">;
  decides: Decides;
  readOffers: ReadOffers;
}>;

/** Proves what an operation offers, where it has these parameters. */
export type ProveOffers<R> = (placed: ReachableOperation<R>, described: Described) => Steps<boolean>;

type Described = Readonly<{ parameters: readonly WrittenParameter[]; set: SetParameters }>;
type Choice = readonly (FilledPlace | undefined)[];

const mostCombinations = 1_000;
// More of them are more combinations.
const mostChoices = 10;
// Of all operations: half a second of work.
const mostTries = 100_000;

/**
 * Prepares to tell whether the route gets what clients ask for there with each of the values that the document offers, in all
 * combinations: tools fill them in by themselves, and a service could have others ask for what is another's.
 */
export function createProveOffers<R>(settings: OfferSettings<R>): ProveOffers<R> {
  let triesLeft = mostTries;

  return function* proveOffers(placed, described) {
    const { client, route, found, bindings, method } = placed;
    const choices = yield* readChoices(placed, described, settings);
    const combinations = choices?.reduce((product, { length }) => product * length, 1) ?? Infinity;
    if (choices === undefined || combinations > mostCombinations || combinations - 1 > triesLeft) return false;
    const supposed = { segments: found.segments, route, client, bindings };
    for (let number = 1; number < combinations; number += 1) {
      yield;
      triesLeft -= 1;
      if (!findsRoute(supposed, { method, filled: combinationOf(choices, number) }, settings.index)) return false;
    }
    return true;
  };
}

/** What may be filled in at each place; undefined where that cannot be told. */
function* readChoices<R>(
  { client }: ReachableOperation<R>,
  { parameters, set }: Described,
  { decides, readOffers }: OfferSettings<R>,
): Steps<readonly Choice[] | undefined> {
  const choices: Choice[] = [];
  for (const { resolved } of parameters) {
    yield;
    const places = placesOf(resolved, { client, set }).filter(decides);
    const offers = places.length === 0 ? new Set<string>() : yield* readOffers(resolved);
    if (offers === undefined) return undefined;
    for (const place of offers.size === 0 ? [] : places) {
      // None of them is a choice, too.
      choices.push([undefined, ...[...offers].flatMap((text) => fillings(place, text))]);
    }
    if (choices.length > mostChoices) return undefined;
  }
  return choices;
}

/** Most tools encode what stands in a path, and some leave it as it is. */
function fillings(place: ParameterPlace, text: string): readonly FilledPlace[] {
  if (place.in !== "path") return [{ place, text }];
  const texts = new Set([encodeURIComponent(text.toWellFormed()), text.replaceAll("\\", "/")]);
  return [...texts].map((written) => ({ place, text: written }));
}

/** Counts through the choices as through the digits of a number. */
function combinationOf(choices: readonly Choice[], number: number): FilledPlace[] {
  let left = number;
  const filled: FilledPlace[] = [];
  for (const choice of choices) {
    const chosen = choice[left % choice.length];
    if (chosen !== undefined) filled.push(chosen);
    left = Math.floor(left / choice.length);
  }
  return filled;
}
