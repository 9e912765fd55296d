import { escapeControls } from "../logging/escape-controls.ts";
import type { ExplainedCheck, ExplainedToken, TokenVerdict } from "./explanation.ts";
import type { Style } from "./style.ts";

/** What the section about a token is called. */
export const tokenTitles: Readonly<Record<TokenVerdict, string>> = {
  holds: "The token opens it:",
  fails: "The token does not open it:",
  unknown: "The token opens it, as far as can be told without asking anybody:",
};

const marks = { holds: "✓", fails: "✗", unknown: "?" } as const;
const looks = { holds: "green", fails: "red", unknown: "yellow" } as const;

/** Which demands of a route a token fulfils. */
export function printToken({ schemes, requirements }: ExplainedToken, style: Style): readonly string[] {
  if (schemes.length === 0) return ["anybody may come in, with a token or without"];
  const perScheme = schemes.flatMap(({ scheme, checks }) => [
    escapeControls(`scheme ${scheme}`),
    ...checks.map((check) => `  ${printCheck(check, style)}`),
  ]);
  return [...perScheme, ...requirements.map((check) => printCheck(check, style))];
}

function printCheck({ what, expected, verdict }: ExplainedCheck, style: Style): string {
  return style(looks[verdict], escapeControls(`${marks[verdict]} ${what}: ${expected}`));
}
