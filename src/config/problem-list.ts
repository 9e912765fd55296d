import type { Span } from "./json-node.ts";
import { pathTo, type Place } from "./place.ts";
import { problemCodes, type ProblemCode } from "./problem-codes.ts";

/** A problem as it is found: where in the text, not yet in which line. */
export type Finding = Readonly<{ code: ProblemCode; path: string; message: string; span: Span }>;

/** Notes one problem about what stands at a place. */
export type Report = (code: ProblemCode, place: Place, message: string) => void;

/** Everything that is found in one configuration. */
export type ProblemList = Readonly<{ findings: Finding[]; report: Report }>;

/** An empty list of problems. */
export function createProblemList(): ProblemList {
  const findings: Finding[] = [];
  return {
    findings,
    report(code, place, message) {
      findings.push({ code, path: pathTo(place), message, span: place.span });
    },
  };
}

/** Whether a finding stops the start. */
export function isError({ code }: Readonly<{ code: ProblemCode }>): boolean {
  return problemCodes[code] === "error";
}
