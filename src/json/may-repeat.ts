import type { JsonMember } from "./json-node.ts";

const fewMembers = 16;

/** Whether a name may repeat, in whatever case; most objects are small enough to compare without a table. */
export function mayRepeat(members: readonly JsonMember[]): boolean {
  if (members.length > fewMembers) return true;
  return members.some(({ name }, index) => {
    for (let other = 0; other < index; other += 1) {
      const earlier = members[other]!.name;
      if (earlier.length === name.length && earlier.toLowerCase() === name.toLowerCase()) return true;
    }
    return false;
  });
}
