import type { ConformanceCase } from "../conformance-case.ts";
import { answerCases } from "./answers.ts";
import { bodyCases } from "./bodies.ts";
import { componentCases } from "./components.ts";
import { framingCases } from "./framing.ts";
import { headerCases } from "./headers.ts";
import { knownVulnerabilityCases } from "./known-vulnerabilities.ts";
import { namingCases } from "./naming.ts";
import { pathCases } from "./paths.ts";
import { targetCases } from "./targets.ts";

/** Every row of the suite. */
export const allCases: readonly ConformanceCase[] = [
  ...framingCases,
  ...targetCases,
  ...pathCases,
  ...componentCases,
  ...headerCases,
  ...namingCases,
  ...bodyCases,
  ...answerCases,
  ...knownVulnerabilityCases,
];
