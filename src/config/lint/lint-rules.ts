import type { ConfigRule } from "../rules/rule.ts";
import { warnOfBypasses } from "./bypasses.ts";
import { warnOfOverlaps } from "./overlaps.ts";

/** What is asked only when somebody checks a configuration: it takes time, and may be meant as it is. */
export const lintRules: readonly ConfigRule[] = [warnOfOverlaps, warnOfBypasses];
