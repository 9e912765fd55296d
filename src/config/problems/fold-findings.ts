import type { Steps } from "../../time-slices.ts";
import type { Finding } from "./problem-list.ts";

const mostPlaces = 3;

/** Equal findings become one that tells how many there are, and where the first ones stand; faults of the text stay apart. */
export function* foldFindings(findings: readonly Finding[]): Steps<readonly Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    yield;
    const key = `${finding.code} ${finding.message}`;
    const group = finding.path === "" ? undefined : groups.get(key);
    if (group === undefined) groups.set(finding.path === "" ? `${key} ${groups.size}` : key, [finding]);
    else group.push(finding);
  }
  return groups.size === findings.length ? findings : [...groups.values()].map(foldGroup);
}

function foldGroup(group: readonly Finding[]): Finding {
  const [first] = group as readonly [Finding];
  if (group.length === 1) return first;
  const places = group.slice(0, mostPlaces).map(({ path }) => path);
  const more = group.length > mostPlaces ? ", …" : "";
  return { ...first, message: `${first.message} (${group.length} places: ${places.join(", ")}${more})` };
}
