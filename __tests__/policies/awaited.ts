/** What is not there yet, and the traces that ask for it: each list goes when its policy comes. */
const byNeed: Readonly<Record<string, readonly string[]>> = {
  HttpHandlerOptions: [
    "hd-113",
    "qs-254",
    ...["cf-014", "cf-016", "cf-017", "cf-018", "cf-019", "cf-021", "cf-023", "cf-024", "cf-025", "cf-029", "cf-030"],
  ],
  DownstreamHttpVersion: ["cf-007"],
  "sticky sessions": [
    ...["cf-040", "rl-128", "qs-107", "lb-012", "lb-040", "lb-041", "lb-043", "lb-044", "lb-047", "lb-048", "lb-051"],
    ...["lb-052", "lb-053", "lb-054", "lb-055", "lb-058", "lb-059", "lb-060", "lb-061", "lb-064", "lb-067", "lb-068"],
    ...["lb-072", "lb-080", "lb-110"],
  ],
  "a DownstreamScheme for all routes": ["lb-106"],
  CacheOptions: [
    ...[
      "cf-055",
      "cf-056",
      "cf-057",
      "cf-058",
      "cf-060",
      "cf-061",
      "cf-116",
      "cf-120",
      "au-158",
      "cl-186",
      "hd-138",
      "ha-067",
      "ha-083",
      "rl-208",
      "rl-209",
      "qs-104",
      "qs-105",
    ],
  ],
  "a machine that connects within 5 ms, however busy it is": ["qs-009"],
  // Its host has no port: what comes of it depends on who listens at port 80 of the machine.
  "a machine where nobody listens at port 80": ["cf-172", "lb-090"],
  Aggregates: [
    "au-175",
    "au-176",
    "au-182",
    "cl-184",
    "ha-085",
    "ha-086",
    "se-099",
    "se-100",
    "hd-153",
    "rl-214",
    "qs-255",
    "lb-029",
    "mf-013",
  ],
  "dynamic routes": ["au-189", "au-192", "au-193", "au-196", "au-197", "au-198", "au-199"],
};

/** What a trace waits for, by the id of the trace. */
export const awaited: ReadonlyMap<string, string> = new Map(
  Object.entries(byNeed).flatMap(([need, ids]) => ids.map((id) => [id, need] as const)),
);
