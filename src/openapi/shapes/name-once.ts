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
