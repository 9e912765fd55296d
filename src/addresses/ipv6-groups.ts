/** The eight groups of an address that may be shortened, and may end in one of IPv4. */
export function groupsOf(address: string): readonly number[] {
  const [before = "", after = ""] = address.split("::").map((half) => half.replace(/[^:]*\.[^:]*$/, inGroups));
  const [first, last] = [before, after].map(readGroups) as [readonly number[], readonly number[]];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function readGroups(half: string): readonly number[] {
  return half === "" ? [] : half.split(":").map((group) => parseInt(group, 16));
}

function inGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
