/** The table of routes, and the start of everything. */
export const mainScript = `import { cell, element, find, row } from "./elements.js";
import { startExplain } from "./explain.js";
import { startState } from "./state.js";
import { startTraffic } from "./traffic.js";

const mostRoutes = 500;
let routes = [];

async function loadRoutes() {
  const response = await fetch("routes");
  if (!response.ok) return note("The routes cannot be read: " + (await response.text()).trim());
  routes = await response.json();
  showRoutes();
}

function showRoutes() {
  const wanted = find("filter").value.trim().toLowerCase();
  const chosen = routes.filter((route) => JSON.stringify(route).toLowerCase().includes(wanted));
  find("routes").replaceChildren(...chosen.slice(0, mostRoutes).map(toRow));
  const left = chosen.length - mostRoutes;
  note(chosen.length + " of " + routes.length + " routes" + (left > 0 ? ", the first " + mostRoutes + " are shown" : ""));
}

function toRow({ id, methods, upstream, downstream, priority, access, policies, headers, metadata }) {
  const values = metadata.map(({ key, value, from }) =>
    element("div", "", key + " = " + JSON.stringify(value), element("span", "quiet", from === "global" ? " (global)" : "")),
  );
  return row(cell(id), cell(methods.join(", ") || "all", "short"), cell(upstream), cell(downstream), cell(priority, "number"), cell(access.summary), element("td", "", ...policies.map(({ title, lines }) => element("div", "", title + ": " + lines[0]))), element("td", "", ...changes(headers)), element("td", "", ...values));
}

function changes({ request, answer }) {
  const ways = [["request", request], ["answer", answer]];
  return ways.flatMap(([way, changed]) =>
    Object.entries(changed).map(([name, words]) => element("div", "", name + ": " + words, element("span", "quiet", " (" + way + ")"))),
  );
}

function note(text) {
  find("routes-note").textContent = text;
}

// The secret of a link that was opened again has done its work.
if (location.hash !== "") history.replaceState(null, "", location.pathname);
find("filter").addEventListener("input", showRoutes);
startExplain();
startTraffic(loadRoutes);
startState();
loadRoutes();
`;
