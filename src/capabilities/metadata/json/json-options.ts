/** As deep as .NET reads JSON. */
export const deepestJson = 64;

/** How JSON metadata are read; each option has the default of .NET's web defaults. */
export type JsonOptions = Readonly<{
  /** Member names match the schema's without case; default true. */
  propertyNameCaseInsensitive?: boolean;
  /** A quoted number counts where the schema wants a number; default true. */
  numbersFromStrings?: boolean;
  /** `[1, 2,]` is accepted; default false. */
  allowTrailingCommas?: boolean;
  /** `//` and block comments are skipped; default false. */
  comments?: boolean;
}>;

/** {@link JsonOptions} with every default filled in. */
export type JsonReading = Readonly<Required<JsonOptions>>;

/** Every combination of the four options has a number, so that a read with options is a look-up as well. 0 is the web defaults. */
export function jsonVariant(options: JsonOptions | undefined): number {
  if (options === undefined) return 0;
  return (
    (options.propertyNameCaseInsensitive === false ? 1 : 0) |
    (options.numbersFromStrings === false ? 2 : 0) |
    (options.allowTrailingCommas === true ? 4 : 0) |
    (options.comments === true ? 8 : 0)
  );
}

/** The options that a number of {@link jsonVariant} stands for, defaults included. */
export function jsonReading(variant: number): JsonReading {
  return {
    propertyNameCaseInsensitive: (variant & 1) === 0,
    numbersFromStrings: (variant & 2) === 0,
    allowTrailingCommas: (variant & 4) !== 0,
    comments: (variant & 8) !== 0,
  };
}
