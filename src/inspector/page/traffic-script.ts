/** The live table, the error counts and what is told of the gateway. */
export const trafficScript = `import { button, cell, element, find, row, time } from "./elements.js";
import { explainSeen } from "./explain.js";

const most = 200;
const reconnectMilliseconds = 3000;
let isPaused = false;
let waiting = [];

/** Follows the traffic; calls back when the gateway has another configuration. */
export function startTraffic(onReload) {
  let loadedAt;
  follow((told) => {
    show(told);
    if (loadedAt !== undefined && loadedAt !== told.state.loadedAt) onReload();
    loadedAt = told.state.loadedAt;
  });
  find("pause").addEventListener("click", togglePause);
  find("clear").addEventListener("click", () => {
    waiting = [];
    find("traffic").replaceChildren();
    note("Cleared.");
  });
}

function follow(receive) {
  const source = new EventSource("traffic");
  // Numbers count up in each process.
  const seen = {};
  source.addEventListener("message", ({ data }) => {
    const told = JSON.parse(data);
    // A new connection begins with what is kept.
    const entries = told.entries.filter(({ process, number }) => number > (seen[process] ?? 0));
    for (const { process, number } of entries) seen[process] = number;
    receive({ ...told, entries });
  });
  source.addEventListener("error", () => {
    find("state").textContent = "Not connected: trying again.";
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => follow(receive), reconnectMilliseconds);
  });
}

function show({ entries, skipped, counts, state }) {
  find("state").textContent = "Gateway " + state.status + ": " + state.routes + " routes, " + state.running + " requests and " + state.sockets + " WebSockets under way; configuration of " + new Date(state.loadedAt).toLocaleString("en-GB") + failure(state);
  showCounts(counts);
  waiting = [...waiting, ...entries].slice(-most);
  if (isPaused) note("Paused, " + waiting.length + " new.");
  else flush(skipped);
}

function failure({ lastFailure, degraded }) {
  const lost = degraded.length > 0 ? ". It does without " + degraded.join(", ") : "";
  return lost + (lastFailure ? ". The reload of " + new Date(lastFailure.at).toLocaleString("en-GB") + " failed: " + lastFailure.message : ".");
}

function flush(skipped) {
  if (waiting.length === 0) return;
  const body = find("traffic");
  body.prepend(...waiting.map(toRow).reverse());
  while (body.rows.length > most) body.lastElementChild.remove();
  waiting = [];
  note(body.rows.length + " shown" + (skipped > 0 ? ", " + skipped + " left out: more than can be shown." : "."));
}

function toRow(entry) {
  const { at, method, path, route, identity, target, status, duration, error } = entry;
  const look = status >= 500 ? "bad" : status >= 400 ? "odd" : "good";
  const failed = error ? [" ", element("span", "quiet", error)] : [];
  const again = button("Explain", "Explain " + method + " " + path, () => explainSeen(method, path));
  return row(
    cell(time(at), "short"), cell(method, "short"), cell(path), cell(route), cell(identity && who(identity)), cell(target),
    element("td", look, status, ...failed),
    cell(Math.round(duration * 10) / 10 + " ms", "number"),
    element("td", "short", again),
  );
}

function who({ scheme, id }) {
  return id === undefined ? scheme : scheme + " " + id;
}

function showCounts({ requests, statuses, errors }) {
  const byStatus = Object.entries(statuses).sort().map(([kind, count]) => kind + ": " + count);
  find("counts").textContent = requests === 0 ? "No requests yet." : [requests + " requests", ...byStatus].join(", ");
  find("errors").replaceChildren(
    ...errors.slice(0, most).map(({ error, route, count, lastAt, lastPath }) =>
      row(cell(error, "bad"), cell(route), cell(count, "number"), cell(time(lastAt), "short"), cell(lastPath)),
    ),
  );
}

function togglePause({ currentTarget }) {
  isPaused = !isPaused;
  currentTarget.setAttribute("aria-pressed", String(isPaused));
  if (isPaused) note("Paused.");
  else flush(0);
}

function note(text) {
  const place = find("traffic-note");
  if (place.textContent !== text) place.textContent = text;
}
`;
