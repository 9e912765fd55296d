// Each reference repeats the name that it leads to.
const longestName = 200;

/** What a name of a service comes to: those of OpenAPI 3 are of few kinds of characters. */
export function toName(written: string): string {
  return written.replace(/[^\w.-]+/g, "_").slice(0, longestName) || "_";
}

/** Makes the function that gives each name once: a name that is taken gets a number. */
export function createNameOnce(): (wanted: string) => string {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();

  return function nameOnce(wanted) {
    let name = wanted;
    // Numbers go on where they were: to begin anew for each of very many that want one name would take minutes.
    for (let number = numbers.get(wanted) ?? 2; taken.has(name); number += 1) {
      name = `${wanted}_${number}`;
      numbers.set(wanted, number + 1);
    }
    taken.add(name);
    return name;
  };
}
