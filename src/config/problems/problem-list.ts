import type { Span } from "../../json/json-node.ts";
import { pathTo, type Place } from "../../json/place.ts";
import { problemCodes, type ProblemCode } from "../../schema/problem-codes.ts";
import { hiddenAt } from "./hidden-values.ts";
import { createMaskGrowing } from "../../secrets/mask-growing.ts";
import { withoutValues } from "./without-values.ts";

/** A problem as it is found: where in the text, not yet in which line. */
export type Finding = Readonly<{ code: ProblemCode; path: string; message: string; span: Span }>;

/** Notes one problem about what stands at a place; what may not be shown of that, its message may quote. */
export type Report = (code: ProblemCode, place: Place, message: string) => void;

/** Everything that is found in one configuration. */
type ProblemList = Readonly<{ findings: Finding[]; report: Report }>;

/** An empty list of problems; `secrets` are the values of variables that were met so far and that no message may show. */
export function createProblemList(secrets: ReadonlySet<string>): ProblemList {
  const findings: Finding[] = [];
  const mask = createMaskGrowing(secrets);
  return {
    findings,
    report(code, place, message) {
      const hidden = hiddenAt(place);
      // Whole values first: what is hidden may be a part of one, and nobody would find the rest.
      const shown = hidden.length === 0 ? message : withoutValues(mask(message), hidden);
      findings.push({ code, path: pathTo(place), message: shown, span: markedSpan(place) });
    },
  };
}

/** Of an object or a list only the bracket is marked, not all that it holds. */
function markedSpan({ node, span }: Place): Span {
  const isContainer = node.kind === "object" || node.kind === "array";
  return isContainer && span === node.span && span.start >= 0 ? { start: span.start, end: span.start + 1 } : span;
}

/** Whether a finding stops the start. */
export function isError({ code }: Readonly<{ code: ProblemCode }>): boolean {
  return problemCodes[code] === "error";
}
