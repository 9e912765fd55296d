import { closestName } from "../../closest-name.ts";
import { quote } from "../../json/json-node.ts";
import type { ProblemCode } from "../../schema/problem-codes.ts";
import type { TemplateFault } from "../../templates/template.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { isUnwritten, locate, type Place } from "../../json/place.ts";
import type { OpenRoute, RouteRule, Rulebook } from "./rule.ts";

type TemplateKey = "UpstreamPathTemplate" | "DownstreamPathTemplate";

const templateKeys: readonly TemplateKey[] = ["UpstreamPathTemplate", "DownstreamPathTemplate"];
const beginsWithScheme = /^\s*[a-z][a-z0-9+.-]*:\/\//i;

const faultCodes: Readonly<Record<TemplateFault["fault"], ProblemCode>> = {
  unclosed: "placeholder-unclosed",
  empty: "placeholder-empty",
  "ill-named": "placeholder-ill-named",
  stray: "placeholder-stray",
};

const faultMessages: Readonly<Record<TemplateFault["fault"], string>> = {
  unclosed: "expected the closing brace of a placeholder",
  empty: "expected the name of a placeholder (letters, digits and _) between the braces",
  "ill-named": "expected a placeholder whose name is letters, digits and _ only",
  stray: "expected no closing brace without its opening brace",
};

/** A route has both templates, and each is a path. */
export const requireTemplates: RouteRule = function requireTemplates(route, report) {
  for (const key of templateKeys) requireTemplate(key, route, report);
};

/** The same for the upstream template alone. */
export const requireUpstreamTemplate: RouteRule = function requireUpstreamTemplate(route, report) {
  requireTemplate("UpstreamPathTemplate", route, report);
};

function requireTemplate(key: TemplateKey, { config, place }: OpenRoute, report: Rulebook["report"]): void {
  const text = config[key];
  if (text !== undefined) checkPath(text, locate(place, [key]), report);
  else if (isUnwritten(place, key)) {
    const missing = `${key} is missing: expected a path such as "/orders/{id}"`;
    report("template-missing", place, missing + nearMiss(place, key));
  }
}

/** The braces of all templates are in order. */
export const checkBraces: RouteRule = function checkBraces({ place, templates }, report) {
  for (const { fault, path, text } of [...templates.upstream, ...templates.filled]) {
    if (fault === undefined) continue;
    const found = quote(fault.fault === "stray" ? "}" : fault.found);
    report(
      faultCodes[fault.fault],
      locate(place, path),
      `${faultMessages[fault.fault]}, found ${found} in ${quote(text)}`,
    );
  }
};

function checkPath(text: string, place: Place, report: Rulebook["report"]): void {
  if (beginsWithScheme.test(text)) {
    const remedy = "scheme and host belong into DownstreamScheme and DownstreamHostAndPorts";
    report("template-scheme", place, `expected a path that begins with "/", found ${quote(text)}: ${remedy}`);
    return;
  }
  if (!text.startsWith("/")) {
    report("template-slash", place, `expected a path that begins with "/", found ${quote(text)}`);
  }
  if (pathOf(text).includes("//")) {
    report("template-double-slash", place, `expected single slashes, found "//" in ${quote(text)}`);
  }
}

/** A missing key and a mistyped one are often the same mistake. */
function nearMiss(place: Place, key: string): string {
  const names = place.node.kind === "object" ? place.node.members.map(({ name }) => name) : [];
  const others = names.filter((name) => !templateKeys.some((known) => known.toLowerCase() === name.toLowerCase()));
  const typo = closestName(key, others);
  return typo === undefined ? "" : ` – did you mean it by ${JSON.stringify(typo)}?`;
}
