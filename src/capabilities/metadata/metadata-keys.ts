import { texts, value } from "../../schema/values.ts";
import { defineSection, list, metadata, scalar, section } from "../../schema/key.ts";
import { z } from "zod";
import { isKnownCulture } from "../../dotnet/culture.ts";
import { numberStyles, parseNumberStyle } from "../../dotnet/number-styles.ts";
import { parseStringSplitOption, stringSplitOptions } from "../../dotnet/split-options.ts";
import { characterForm, enumTextForm } from "../../schema/value-forms.ts";

// A culture that Intl has data for.
const culture: z.ZodType<string> = value(
  "a culture such as en-GB",
  (written) => (isKnownCulture(written) ? written : undefined),
  { code: "culture-unknown" },
);

// Text that .NET reads as NumberStyles.
const numberStyle: z.ZodType<string> = value(
  'NumberStyles by name, list or number, such as "Any" or "AllowThousands, AllowDecimalPoint"',
  (written) => (parseNumberStyle(written) === undefined ? undefined : written),
  { code: "number-style-unknown", words: Object.keys(numberStyles), form: enumTextForm(Object.keys(numberStyles)) },
);

// Text that .NET reads as StringSplitOptions.
const splitOption: z.ZodType<string> = value(
  'StringSplitOptions by name, list or number, such as "RemoveEmptyEntries"',
  (written) => (parseStringSplitOption(written) === undefined ? undefined : written),
  {
    code: "split-option-unknown",
    words: Object.keys(stringSplitOptions),
    form: enumTextForm(Object.keys(stringSplitOptions)),
  },
);

// Single characters.
const characters: z.ZodType<string[]> = z.array(
  value("a single character (one UTF-16 unit)", (written) => (written.length === 1 ? written : undefined), {
    code: "trim-char-length",
    form: characterForm,
  }),
  "a list of characters",
);

/** How metadata are converted when they are read. */
const metadataOptionsSection = defineSection(
  { name: "options", heading: "MetadataOptions", keepsEmpty: true },
  {
    CurrentCulture: scalar(culture, {
      type: "culture name",
      means: 'How numbers are written; `""` is the invariant culture',
      otherwise: "that of the process",
      examples: ["en-GB", ""],
      problems: ["culture-unknown"],
      ocelot: "same",
    }),
    NumberStyle: scalar(numberStyle, {
      type: ".NET's NumberStyles",
      means: "What numbers may look like",
      otherwise: "`Any`",
      problems: ["number-style-unknown"],
      ocelot: "same",
    }),
    Separators: list(texts, {
      type: "list of texts",
      means: "Where lists are split",
      otherwise: '`[","]`',
      ocelot: "replace the default instead of adding to it",
    }),
    StringSplitOption: scalar(splitOption, {
      type: ".NET's StringSplitOptions",
      means: "What happens to empty parts",
      otherwise: "`None`",
      problems: ["split-option-unknown"],
      ocelot: "`None` keeps empty entries",
    }),
    TrimChars: list(characters, {
      type: "list of characters",
      means: "What is trimmed off each part",
      otherwise: '`[" "]`',
      problems: ["trim-char-length"],
      ocelot: "replace the default instead of adding to it",
    }),
  },
);

/** Data for the code of users, and how they are read. */
export const metadataKeys = {
  route: {
    Metadata: metadata({
      type: "object of texts",
      means: "Data of your own, read by [`getMetadata`](metadata.md); any JSON value becomes a text",
      otherwise: "none",
      problems: ["key-repeated"],
      ocelot: "values may be any JSON, which becomes text; read by `getMetadata`, for which `1` is no true `bool`",
    }),
  },
  global: {
    Metadata: metadata({
      type: "object of texts",
      means: "Metadata of all routes; a route's own values go over it",
      otherwise: "none",
      problems: ["key-repeated"],
      ocelot: "values may be any JSON, which becomes text; read by `getMetadata`, for which `1` is no true `bool`",
    }),
    MetadataOptions: section(metadataOptionsSection, {
      type: "object",
      means: "How metadata are read",
      otherwise: "see below",
      ocelot: "same",
    }),
  },
} as const;
