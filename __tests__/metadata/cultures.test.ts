import { describe, expect, test } from "@jest/globals";
import { cultureOf, defaultCulture, isKnownCulture } from "../../src/dotnet/culture.ts";
import { recordedRows } from "./recorded-rows.ts";

type Row = [
  culture: string,
  numberDecimal: string,
  numberGroup: string,
  negativeSign: string,
  positiveSign: string,
  currencySymbol: string,
  currencyDecimal: string,
  currencyGroup: string,
];

const rows = recordedRows<Row>("cultures.json");

describe("cultures write numbers as in .NET", () => {
  test.each(rows)(
    "%j",
    (name, numberDecimal, numberGroup, negative, positive, symbol, currencyDecimal, currencyGroup) => {
      const culture = cultureOf(name);
      expect(isKnownCulture(name)).toBe(true);
      expect(culture.number.decimals).toEqual([numberDecimal]);
      expect(culture.number.groups).toContain(numberGroup);
      expect(culture.negativeSigns).toContain(negative);
      expect(culture.positiveSigns).toContain(positive);
      expect(culture.currencySymbols).toContain(symbol);
      expect(culture.currency.decimals).toEqual([currencyDecimal]);
      expect(culture.currency.groups).toContain(currencyGroup);
    },
  );

  test("only Switzerland and right-to-left cultures have a second spelling", () => {
    const several = rows
      .map(([name]) => cultureOf(name))
      .filter(({ number, positiveSigns, currencySymbols }) =>
        [number.groups, positiveSigns, currencySymbols].some((spellings) => spellings.length > 1),
      );
    expect(several.map(({ name }) => name)).toEqual([
      "de-CH",
      "fr-CH",
      "it-CH",
      "he-IL",
      "ar-EG",
      "ar-SA",
      "ar-AE",
      "fa-IR",
    ]);
  });

  test("the data of a culture are made once", () => {
    expect(cultureOf("de-DE")).toBe(cultureOf("de-DE"));
  });
});

describe("a culture is known when there are data for it", () => {
  const names: [name: string, isKnown: boolean, reason: string][] = [
    ["", true, "the invariant culture"],
    ["en-us", true, "case does not matter"],
    ["zh-Hant-TW", true, "a script may stand in between"],
    ["es-419", true, "a region may be a number"],
    ["de-XX", false, "well-formed, but no such region"],
    ["xx", false, "no such language"],
    ["xx-YY", false, "nor with a region"],
    ["de_DE", false, "an underscore is not well-formed"],
    ["en-u-nu-arab", false, "an extension names no culture"],
    ["not a culture", false, "not a name at all"],
    ["de-", false, "cut off"],
  ];
  test.each(names)("%j: %p, %s", (name, isKnown) => {
    expect(isKnownCulture(name)).toBe(isKnown);
  });
});

describe("the default culture is that of the process", () => {
  const surroundings: [environment: Record<string, string>, culture: string, reason: string][] = [
    [{}, "", "nothing is the invariant culture"],
    [{ LANG: "de_DE.UTF-8" }, "de-DE", "LANG with its encoding"],
    [{ LANG: "de_DE.UTF-8", LC_ALL: "fr_FR@euro" }, "fr-FR", "LC_ALL comes first"],
    [{ LANG: "de_DE", LC_ALL: "" }, "de-DE", "an empty variable is none"],
    [{ LANG: "C" }, "", "C is the invariant culture"],
    [{ LANG: "C.UTF-8" }, "", "with an encoding too"],
    [{ LANG: "POSIX" }, "", "POSIX is another name for it"],
    [{ LANG: "C", LC_ALL: "nb_NO.UTF-8" }, "nb-NO", "LC_ALL over C"],
    [{ LANG: "de_XX.UTF-8" }, "de", "an unknown region leaves the language"],
    [{ LANG: "xx_YY.UTF-8" }, "", "an unknown language leaves nothing"],
  ];
  test.each(surroundings)("%j gives %j: %s", (environment, culture) => {
    expect(defaultCulture({ environment, platform: "linux" })).toBe(culture);
  });

  test("on Windows without these variables it is what Intl resolves", () => {
    const { locale } = new Intl.NumberFormat().resolvedOptions();
    expect(defaultCulture({ environment: {}, platform: "win32" })).toBe(locale);
    expect(defaultCulture({ environment: { LANG: "C" }, platform: "win32" })).toBe("");
  });
});
