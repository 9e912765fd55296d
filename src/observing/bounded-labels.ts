const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "QUERY",
]);

/** A method as a label: a client that invents methods makes no new time series. */
export function methodLabel(method: string, other: string): string {
  return knownMethods.has(method) ? method : other;
}

/** Makes the function that turns route ids into labels: those of the first routes seen, and one for all others. */
export function createRouteLabels(most: number): (id: string) => string {
  const seen = new Set<string>();
  return function routeLabel(id) {
    if (seen.has(id)) return id;
    if (seen.size >= most) return "other";
    seen.add(id);
    return id;
  };
}
