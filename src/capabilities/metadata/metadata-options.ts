import { chooseCulture, cultureOf, type Culture } from "../../dotnet/culture.ts";
import { parseNumberStyle } from "../../dotnet/number-styles.ts";
import { parseStringSplitOption } from "../../dotnet/split-options.ts";
import { GatewayError } from "../../errors.ts";
import { createTextSplitter } from "./split-text.ts";

/** The `MetadataOptions` of the configuration, as texts; what is absent has its default. */
export type MetadataReadOptions = Readonly<{
  CurrentCulture?: string | undefined;
  NumberStyle?: string | undefined;
  Separators?: readonly string[] | undefined;
  StringSplitOption?: string | undefined;
  TrimChars?: readonly string[] | undefined;
}>;

/** What the options mean, ready for use by every route. */
export type CompiledOptions = Readonly<{
  culture: Culture;
  numberStyle: number;
  splitText: (text: string) => readonly string[];
}>;

const compiled = new WeakMap<MetadataReadOptions, CompiledOptions>();

/** Compiles metadata options once per options object, so that thousands of routes share the result. */
export function compileMetadataOptions(options: MetadataReadOptions): CompiledOptions {
  const known = compiled.get(options);
  if (known !== undefined) return known;
  const result = compile(options);
  compiled.set(options, result);
  return result;
}

function compile(options: MetadataReadOptions): CompiledOptions {
  const numberStyle = options.NumberStyle ?? "Any";
  const splitOption = options.StringSplitOption ?? "None";
  return {
    culture: cultureOf(chooseCulture(options.CurrentCulture)),
    numberStyle: parseNumberStyle(numberStyle) ?? refuse("NumberStyle", numberStyle),
    splitText: createTextSplitter({
      separators: options.Separators ?? [","],
      splitOption: parseStringSplitOption(splitOption) ?? refuse("StringSplitOption", splitOption),
      trimCharacters: options.TrimChars ?? [" "],
    }),
  };
}

function refuse(name: string, text: string): never {
  throw new GatewayError(
    "option-invalid",
    `Invalid metadata option ${name}: ${JSON.stringify(text)} is no value of it.`,
  );
}
