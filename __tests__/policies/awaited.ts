/** What is not there yet, and the traces that ask for it: each list goes when its policy comes. */
const byNeed: Readonly<Record<string, readonly string[]>> = {
  "a runner that does what the recorded handlers do": [
    ...[
      "ha-005",
      "ha-006",
      "ha-007",
      "ha-013",
      "ha-014",
      "ha-020",
      "ha-035",
      "ha-036",
      "ha-037",
      "ha-045",
      "ha-049",
      "ha-051",
      "ha-052",
      "ha-056",
      "ha-059",
      "ha-060",
      "ha-061",
      "ha-062",
      "ha-063",
      "ha-065",
      "ha-066",
      "ha-071",
      "ha-075",
      "ha-087",
      "ha-089",
      "ha-091",
    ],
  ],
  HttpHandlerOptions: [
    ...["cf-014", "cf-016", "cf-017", "cf-018", "cf-019", "cf-021", "cf-023", "cf-024", "cf-025", "cf-029", "cf-030"],
  ],
  DownstreamHttpVersion: ["cf-007"],
  "sticky sessions": ["cf-040"],
  QoSOptions: ["cf-041", "cf-042", "cf-044", "cf-046", "cf-047", "cf-048", "cf-049", "ha-090"],
  CacheOptions: [
    ...["cf-055", "cf-056", "cf-057", "cf-058", "cf-060", "cf-061", "cf-116", "cf-120", "ha-067", "ha-083"],
  ],
  AuthenticationOptions: ["cf-062", "cf-064", "cf-065", "cf-066", "cf-067", "cf-068", "cf-069", "cf-070", "cf-073"],
  RateLimitOptions: ["cf-076", "cf-078", "cf-079", "cf-081", "cf-082", "cf-111"],
  SecurityOptions: ["cf-083", "cf-084", "cf-085", "cf-086", "cf-087"],
  "header transforms": ["cf-012", "cf-089", "cf-092", "cf-094", "ha-058", "ha-081"],
  // Its host has no port: what comes of it depends on who listens at port 80 of the machine.
  "a machine where nobody listens at port 80": ["cf-172"],
  Aggregates: ["ha-085", "ha-086"],
};

/** What a trace waits for, by the id of the trace. */
export const awaited: ReadonlyMap<string, string> = new Map(
  Object.entries(byNeed).flatMap(([need, ids]) => ids.map((id) => [id, need] as const)),
);
