/** Traces that are not replayed, by what they would need. */
const byNeed: Readonly<Record<string, readonly string[]>> = {
  // Not to be told at the start: only the connection shows that the service speaks nothing else.
  "HTTP/2 toward the downstream": ["ht-156", "ht-160", "ht-166"],
  "a machine that connects within 5 ms, however busy it is": ["qs-009"],
  // Its host has no port: what comes of it depends on who listens at port 80 of the machine.
  "a machine where nobody listens at port 80": ["cf-172", "lb-090"],
  // Its provider is a Consul at the usual port.
  "a machine where nobody listens at port 8500": ["dy-037"],
};

/** What a trace waits for, by the id of the trace. */
export const awaited: ReadonlyMap<string, string> = new Map(
  Object.entries(byNeed).flatMap(([need, ids]) => ids.map((id) => [id, need] as const)),
);
