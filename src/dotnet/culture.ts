import countryToCurrency from "country-to-currency";

const currencies: Readonly<Record<string, string>> = countryToCurrency;

/** How one culture writes numbers. Where several spellings of a sign, separator or symbol are about, the usual one comes first. */
export type Culture = Readonly<{
  name: string;
  negativeSigns: readonly string[];
  positiveSigns: readonly string[];
  /** True where the culture writes `- 5`, with a blank after the sign. */
  blankAfterSign: boolean;
  number: Separators;
  /** Beside a currency symbol. */
  currency: Separators;
  /** Where there may or may not be a symbol: those of the currency first. */
  either: Separators;
  currencySymbols: readonly string[];
  infinity: string;
  notANumber: string;
}>;

/** What stands before the fraction, and between the groups of the whole part. */
export type Separators = Readonly<{ decimals: readonly string[]; groups: readonly string[] }>;

type Parts = readonly Intl.NumberFormatPart[];

const symbolWithoutRegion = "¤";
const invariantSeparators: Separators = { decimals: ["."], groups: [","] };
const invariant: Culture = {
  name: "",
  negativeSigns: ["-"],
  positiveSigns: ["+"],
  blankAfterSign: false,
  number: invariantSeparators,
  currency: invariantSeparators,
  either: invariantSeparators,
  currencySymbols: [symbolWithoutRegion],
  infinity: "Infinity",
  notANumber: "NaN",
};

const cultures = new Map<string, Culture>([["", invariant]]);

/** The number conventions of a known culture (`""` is the invariant one), from `Intl`; made once per name. */
export function cultureOf(name: string): Culture {
  const known = cultures.get(name);
  if (known !== undefined) return known;
  const culture = readCulture(name);
  cultures.set(name, culture);
  return culture;
}

/** Whether there are data for a culture: well-formed alone is not enough, `de-XX` is unknown. */
export function isKnownCulture(name: string): boolean {
  if (name === "") return true;
  if (/-[a-z0-9]-/i.test(name)) return false; // an extension such as -u-nu-arab is no culture name
  try {
    const resolved = new Intl.NumberFormat(name).resolvedOptions().locale;
    return minimal(resolved) === minimal(name);
  } catch {
    return false;
  }
}

type Surroundings = Readonly<{ environment: Readonly<Record<string, string | undefined>>; platform: string }>;

/** The name of the culture by which numbers are read: the one that is written, else that of this process. */
export function chooseCulture(written: string | undefined): string {
  return written ?? defaultCulture();
}

/** The culture of this process: `LC_ALL`, else `LANG`; the invariant culture where they name none. */
export function defaultCulture(
  { environment, platform }: Surroundings = { environment: process.env, platform: process.platform },
): string {
  const setting = [environment.LC_ALL, environment.LANG].find((value) => value !== undefined && value !== "") ?? "";
  if (setting === "" && platform === "win32") return new Intl.NumberFormat().resolvedOptions().locale;
  const name = setting.replace(/[.@].*$/s, "").replaceAll("_", "-");
  if (name === "C" || name === "POSIX") return "";
  const language = name.replace(/-.*$/s, "");
  return [name, language].find(isKnownCulture) ?? "";
}

function minimal(name: string): string {
  return new Intl.Locale(name).minimize().toString();
}

function readCulture(name: string): Culture {
  const { language, region } = new Intl.Locale(name);
  const money = new Intl.NumberFormat(name, { style: "currency", currency: currencyOf(region) ?? "XXX" });
  const plain = new Intl.NumberFormat(name, { signDisplay: "always", minimumFractionDigits: 1 });
  const negative = plain.formatToParts(-1234567.5);
  const swissGroups = region === "CH" || region === "LI" ? swissGroupsOf(language) : [];
  const number = readSeparators(negative, swissGroups);
  const currency = region === undefined ? number : readSeparators(money.formatToParts(1234567.5), swissGroups, number);
  return {
    name,
    negativeSigns: withHyphen(readSign(negative)),
    positiveSigns: readSign(plain.formatToParts(1)),
    blankAfterSign: /\s$/.test(beforeDigits(negative)),
    number,
    currency,
    either: {
      decimals: unique([...currency.decimals, ...number.decimals]),
      groups: unique([...currency.groups, ...number.groups]),
    },
    currencySymbols: region === undefined ? [symbolWithoutRegion] : readSymbol(money.formatToParts(1)),
    infinity: partOf(plain.formatToParts(Infinity), "infinity") ?? invariant.infinity,
    notANumber: partOf(plain.formatToParts(NaN), "nan") ?? invariant.notANumber,
  };
}

function partOf(parts: Parts, type: string): string | undefined {
  return parts.find((part) => part.type === type)?.value;
}

/** Swiss cultures changed their apostrophe between versions of the data, and French Switzerland had a blank: all of them are read. */
function swissGroupsOf(language: string): string[] {
  return language === "fr" ? ["’", "'", "\u202f"] : ["’", "'"];
}

function readSeparators(
  parts: Parts,
  moreGroups: readonly string[],
  fallback: Separators = invariantSeparators,
): Separators {
  const decimal = partOf(parts, "decimal");
  const group = partOf(parts, "group");
  return {
    decimals: decimal === undefined ? fallback.decimals : [decimal],
    groups: group === undefined ? fallback.groups : unique([group, ...moreGroups]),
  };
}

const directionMarks = /[\u200e\u200f\u061c]/g;

function beforeDigits(parts: Parts): string {
  const end = parts.findIndex((part) => part.type === "integer");
  return parts.slice(0, end).reduce((text, part) => text + part.value, "");
}

/** .NET keeps the invisible direction mark of a right-to-left sign, newer data lack it: both are read. */
function readSign(parts: Parts): string[] {
  const sign = beforeDigits(parts).trim();
  return unique([sign, sign.replaceAll(directionMarks, "")]);
}

/** As .NET does, a plain hyphen is taken for any of the typographic minus signs. */
function withHyphen(signs: readonly string[]): string[] {
  const hasHyphenLikeSign = signs.some((sign) => /^[-\u2012\u207b\u208b\u2212\u2796\ufe63\uff0d]$/.test(sign));
  return hasHyphenLikeSign ? unique([...signs, "-"]) : [...signs];
}

function readSymbol(parts: Parts): string[] {
  const index = parts.findIndex((part) => part.type === "currency");
  const symbol = parts[index]?.value ?? symbolWithoutRegion;
  const after = parts[index + 1]?.value ?? "";
  const mark = /^[\u200e\u200f\u061c]/.exec(after)?.[0] ?? "";
  return unique([symbol + mark, symbol]);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** The ISO code of a region's currency: `CH` gives `CHF`. Regions without one (419, say) give `undefined`. */
function currencyOf(region: string | undefined): string | undefined {
  return region !== undefined && Object.hasOwn(currencies, region) ? currencies[region] : undefined;
}
