/** Gives each document a mark of its own, of the key and the version in its path; a dot ends it where it begins a name. */
export function createMarks(): (place: Readonly<{ key: string; version: string }>) => string {
  const taken = new Set<string>();
  return function markOf({ key, version }) {
    const plain = `${key}_${version}`.replace(/[^\w-]+/g, "_");
    let mark = plain;
    for (let number = 2; taken.has(mark); number += 1) mark = `${plain}_${number}`;
    taken.add(mark);
    return mark;
  };
}
