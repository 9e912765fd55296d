import { arrivedAt, type ChangedExchange, type Departures, refusal, stopsTheStart } from "./departure.ts";

const problem = { "content-type": "application/problem+json; charset=utf-8" };
const challenged = refusal(401, { ...problem, "www-authenticate": "Bearer" });
const challengedForToken = refusal(401, { ...problem, "www-authenticate": 'Bearer error="invalid_token"' });
const challengedByKey = refusal(401, { ...problem, "www-authenticate": "ApiKey" });
const forbidden = refusal(403, problem);
const unavailable = refusal(503, { ...problem, "retry-after": "5" });

/** A request with a token that is let in. */
function letIn(token: string, target = "/x", headers: Readonly<Record<string, string>> = {}): ChangedExchange {
  const authorization = `Bearer {{token:${token}}}`;
  return { answer: { status: 200, body: "from A" }, arrived: [arrivedAt(target, { authorization, ...headers })] };
}

/** Where authentication and authorisation differ. */
export const authDepartures: Departures = {
  // The claim is there under its short name.
  "au-134": { because: "D4" },
  "au-020": {
    because: "D3",
    exchanges: { 0: { arrived: [arrivedAt("/x")] }, 1: challengedForToken, 2: challenged },
  },
  "au-021": { because: "D3", exchanges: { 0: challengedForToken, 1: challenged } },
  // Neither is a CORS preflight.
  "au-023": { because: "D2", exchanges: { 0: challenged, 1: challengedForToken } },
  "au-032": stopsTheStart("D4"),
  "au-039": stopsTheStart("D4"),
  "au-045": stopsTheStart("D4"),
  "au-046": stopsTheStart("D5"),
  "au-049": stopsTheStart("D4"),
  "au-058": { because: "D7", exchanges: { 0: letIn("one", "/x", { "x-sub": "alice" }) } },
  "au-062": stopsTheStart("D8"),
  "au-066": stopsTheStart("D5"),
  "au-075": { because: "D28", exchanges: { 0: challengedForToken } },
  "au-104": { because: "D7", exchanges: { 0: letIn("a") } },
  "au-109": { ...stopsTheStart("D4"), misjudged: "an empty scope is an empty entry of a lock" },
  "au-110": { ...stopsTheStart("D4"), misjudged: "an empty scope is an empty entry of a lock" },
  "au-114": stopsTheStart("D8"),
  "au-123": stopsTheStart("D4"),
  "au-124": { ...stopsTheStart("D4"), misjudged: "an empty value of a requirement is an empty entry of a lock" },
  "au-126": stopsTheStart("D4"),
  "au-127": { because: "D4", exchanges: { 1: forbidden, 2: forbidden } },
  "au-128": { because: "D7", exchanges: { 0: forbidden, 1: letIn("b"), 2: letIn("c") } },
  "au-131": { because: "D7", exchanges: { 0: letIn("a"), 1: forbidden } },
  "au-133": { because: "D4" },
  "au-135": { because: "D7", exchanges: { 0: letIn("a") } },
  "au-138": { because: "D7", exchanges: { 0: letIn("a") } },
  "au-142": stopsTheStart("D4"),
  "au-143": stopsTheStart("D4"),
  "au-145": { because: "D6", exchanges: { 0: letIn("a", "/e/a%20b"), 1: forbidden } },
  "au-147": { ...stopsTheStart("D4"), misjudged: "{} is no placeholder" },
  "au-148": stopsTheStart("D8"),
  "au-149": stopsTheStart("D8"),
  "au-151": stopsTheStart("D8"),
  // What was for alice is not for bob.
  "au-158": { because: "D15", exchanges: { 1: challenged, 2: letIn("bob") } },
  "au-161": { because: "D8" },
  "au-165": { because: "D29", exchanges: { 0: refusal(401) } },
  "au-166": stopsTheStart("D8"),
  "au-171": stopsTheStart("D5"),
  "au-177": { because: "D1", exchanges: { 0: challenged } },
  "au-183": { because: "D3", exchanges: { 0: challengedByKey, 2: challengedByKey } },
  "au-186": { because: "D3", exchanges: { 1: unavailable, 2: unavailable } },
  "au-187": {
    because: "D8",
    exchanges: { 0: unavailable, 1: { answer: { status: 200, body: "from A" }, arrived: [arrivedAt("/open")] } },
  },
  "au-176": {
    because: "D18",
    misjudged: "a part that refuses keeps the others from being asked",
    exchanges: { 0: refusal(403) },
  },
  "au-182": stopsTheStart("D4"),
  "au-197": stopsTheStart("D19"),
  "au-198": stopsTheStart("D19"),
  "au-199": { because: "D19", exchanges: { 1: letIn("two"), 2: challenged } },
};
