import { warnOfMissingSchemes } from "../../capabilities/authentication/missing-schemes.ts";
import { warnOfUnknownTypes } from "../rules/providers.ts";
import type { ConfigRule } from "../rules/rule.ts";
import { warnOfBypasses } from "./bypasses.ts";
import { warnOfNamedServices } from "./bypasses-by-name.ts";
import { warnOfOverlaps } from "./overlaps.ts";

/** Rules that only a check applies: they take time, and what they find may be meant, or supplied in code. */
export const lintRules: readonly ConfigRule[] = [
  warnOfOverlaps,
  warnOfBypasses,
  warnOfNamedServices,
  warnOfMissingSchemes,
  warnOfUnknownTypes,
];
