import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { atTop, type DocsPage, proseOf } from "./read-pages.ts";

const link = /\]\(([^()\s]+)\)/g;

/** The links of a page that lead to no file of the project, or to no heading of it. */
export function findBrokenLinks(page: DocsPage): string[] {
  const targets = [...proseOf(page).matchAll(link)].map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page.path, target));
}

function leadsSomewhere(from: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? atTop(from) : atTop(join(dirname(from), path));
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, "utf8")).has(anchor);
}

function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ +(.*?) *$/gm)].map(([, heading]) => heading!);
  return new Set(headings.map(toAnchor));
}

/** As GitHub makes them: lower case, blanks as hyphens, punctuation gone. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
