import { characters, culture, numberStyle, splitOption, texts } from "../values.ts";
import { defineSection, list, metadata, scalar, section } from "./key.ts";

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
