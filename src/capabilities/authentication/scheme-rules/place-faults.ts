import { quote } from "../../../json/json-node.ts";
import { placeForms, readPlace } from "../schemes/tokens/token-places.ts";
import { contradictory, type SchemeFault, type WrittenScheme } from "./scheme-fault.ts";

/** Tokens are found in places that there are, and travel only from the one that may. */
export function placeFaults({ From: words, Forward }: WrittenScheme): readonly SchemeFault[] {
  if (words === undefined) return [];
  const places = words.map(readPlace);
  const isHeader = places.some((place) => place?.reads.headers !== undefined);
  const useless = Forward === true && !isHeader && places.every((place) => place !== undefined);
  return [
    // Of an empty one the reader has told already.
    ...words.flatMap((word, index) =>
      places[index] === undefined && word.trim() !== "" ? [unknown(word, index)] : [],
    ),
    ...(useless
      ? [contradictory("Forward", 'only what stands in Authorization travels on, and "From" does not name "Header"')]
      : []),
  ];
}

function unknown(word: string, index: number): SchemeFault {
  const message = `${quote(word)} is no place for tokens: expected ${placeForms}`;
  return { code: "scheme-place-unknown", within: ["From", index], message };
}
