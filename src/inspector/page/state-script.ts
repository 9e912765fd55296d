/** What is asked for again and again while the page is looked at: hosts, limits, caches, aggregates, services, reloads. */
export const stateScript = `import { element, find } from "./elements.js";
import { showGraphs } from "./graphs.js";
import { fillSection, say } from "./tables.js";

const pauseMilliseconds = 1000;
const token = document.querySelector('meta[name="waymark-token"]').content;
const number = "number";

/** Looks once a second, unless nobody sees the page. */
export function startState() {
  find("purge-all").addEventListener("click", () => purge({}, "everything"));
  lookAgain();
}

async function lookAgain() {
  if (document.visibilityState === "visible") await look().catch(() => {});
  setTimeout(lookAgain, pauseMilliseconds);
}

async function look() {
  const response = await fetch("state");
  if (response.ok) show(await response.json());
}

function show(state) {
  showGraphs(state);
  fillSection("hosts", state.hosts.rows.map((row) => hostRow(row, state.processes)));
  say("hosts-note", left(state.hosts.rows.length, state.hosts.all));
  fillSection("limits", state.limits.map(limitRow));
  say("limits-note", "Counted in " + state.store.name + (state.store.isAway ? ", which is away: each process is on its own." : "."));
  fillSection("caches", state.caches.map(cacheRow));
  say("caches-note", kept(state.kept, state.store));
  offerRegions([...new Set(state.caches.flatMap(({ region }) => region ?? []))]);
  fillSection("aggregates", state.aggregates.map(aggregateRow));
  fillSection("services", state.services.map(serviceRow));
  fillSection("reloads", state.reloads.map(reloadRow));
}

function hostRow(row, processes) {
  const { route, host, weight, running, from, balancer, isSticky } = row;
  const cells = [[route], [host], [condition(row, processes), row.watchedBy.length === 0 ? "quiet" : looks[row.state]], [running, number], [weight, number], [balancer + (isSticky ? ", sticky" : "")], [from]];
  return { key: route + " " + host, cells };
}

const looks = { up: "good", down: "bad", open: "bad", "half-open": "odd" };

function condition({ state, wait, watchedBy, stateIn }, processes) {
  if (watchedBy.length === 0) return "not watched";
  const words = { up: "up", down: "down (health checks)", open: "open" + (wait > 0 ? ", tries again in " + Math.ceil(wait / 1000) + " s" : ""), "half-open": "half-open, being tried" };
  return words[state] + (stateIn < processes ? ", in " + stateIn + " of " + processes + " processes" : "");
}

function left(shown, all) {
  return shown < all ? "The first " + shown + " of " + all + ", those in trouble before the others." : "";
}

function limitRow({ route, rule, status, requests, refused }) {
  return { key: route, cells: [[route], [rule], [requests, number], [refused, refused > 0 ? "number odd" : number], [status, number]] };
}

function cacheRow({ route, rule, region, hit, miss, bypass }) {
  const act = { text: "Purge", label: "Purge route " + route, run: () => purge({ route }, "route " + route) };
  return { key: JSON.stringify([route, region]), cells: [[route], [rule], [region], [hit, number], [miss, number], [bypass, number], [share(hit, miss), number]], act };
}

function share(hit, miss) {
  return hit + miss === 0 ? undefined : Math.round((hit / (hit + miss)) * 100) + " %";
}

function kept(amount, store) {
  if (!amount) return "Kept in " + store.name + ".";
  const bytes = (count) => (count < 1048576 ? Math.ceil(count / 1024) + " KiB" : (count / 1048576).toFixed(1) + " MiB");
  return amount.entries + " entries in memory, about " + bytes(amount.bytes) + " of " + bytes(amount.mostBytes) + ".";
}

function aggregateRow({ route, upstream, parts, requests }) {
  return { key: route, cells: [[route], [upstream], [parts.join(", ")], [requests, number]] };
}

function serviceRow({ service, registry, instances, count, age, isFailing }) {
  const others = count > instances.length ? " and " + (count - instances.length) + " more" : "";
  const told = age === undefined ? "not yet" : Math.round(age / 1000) + " s ago";
  return {
    key: registry + " " + service,
    cells: [[service], [registry], [count, number], [count === 0 ? "none" : instances.join(", ") + others], [told + (isFailing ? ", nothing new can be had" : ""), isFailing ? "bad" : ""]],
  };
}

function reloadRow({ at, added, removed, changed, failure }) {
  const words = failure ?? added + " added, " + removed + " removed, " + changed + " changed";
  return { key: String(at), cells: [[new Date(at).toLocaleString("en-GB"), "short"], [failure === undefined ? "in force" : "refused", failure === undefined ? "good" : "bad"], [words]] };
}

let offered = "";

/** A button for each region, beside that for everything. */
function offerRegions(regions) {
  if (offered === JSON.stringify(regions)) return;
  offered = JSON.stringify(regions);
  find("purge-regions").replaceChildren(...regions.map((region) => {
    const made = element("button", "", "Purge region " + region);
    made.type = "button";
    made.addEventListener("click", () => purge({ region }, "region " + region));
    return made;
  }));
}

async function purge(what, words) {
  const headers = { "content-type": "application/json", "x-waymark-token": token };
  const response = await fetch("purge", { method: "POST", headers, body: JSON.stringify(what) });
  say("purge-note", response.ok ? "Purged " + words + " at " + new Date().toLocaleTimeString("en-GB") + "." : "Not purged: " + (await response.text()).trim());
  await look().catch(() => {});
}
`;
