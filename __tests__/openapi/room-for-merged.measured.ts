import { expect, test } from "@jest/globals";
import { makeMerged } from "../../src/openapi-pages/make-merged.ts";
import { placesOf, three } from "./documents-of-services.ts";
import type { Parsed } from "./scene.ts";

test.each([
  { lengths: [7, 7, 7, 7, 7, 7, 7, 7, 7], isThere: true },
  { lengths: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], isThere: false },
  { lengths: [7, 9, 9, 9, 9, 9, 9, 9, 9, 9], isThere: true },
])(
  "what is not in the merged document comes behind 64 MiB of others, whichever is there first: $lengths",
  async ({ lengths, isThere }) => {
    const small = JSON.stringify(three({ A: {} }));
    const texts = [...lengths.map((length) => small + " ".repeat(length * 1_048_576)), small];
    const places = placesOf(texts.length);
    for (const slow of [0, lengths.length]) {
      const read = async ({ key }: { key: string }): Promise<{ bytes: Buffer }> => {
        if (key === `k${slow}`) await new Promise((resolve) => setImmediate(resolve));
        return { bytes: Buffer.from(texts[Number(key.slice(1))]!) };
      };
      const document: Parsed = JSON.parse(await makeMerged(places, read));
      const absent = document.info.description.match(/\w+(?= v1 \(all together would be too large\))/g);
      expect(absent).toEqual(
        placesOf(texts.length - (isThere ? 1 : 0))
          .slice(1)
          .map(({ name }) => name),
      );
    }
  },
);
