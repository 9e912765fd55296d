/** The form that asks about a request, and the answer. */
export const explainScript = `import { element, find, list } from "./elements.js";

const token = document.querySelector('meta[name="waymark-token"]').content;
const looks = { takes: "good", "passed-by": "odd", "does-not-match": "quiet" };
const words = { takes: "takes it", "passed-by": "passed by", "does-not-match": "no" };
const shownAtOnce = 12;
let latest = 0;

export function startExplain() {
  find("explain-form").addEventListener("submit", (event) => {
    event.preventDefault();
    explain();
  });
}

/** Asks about a request that was seen. */
export function explainSeen(method, path) {
  find("method").value = method;
  find("path").value = path;
  explain();
  find("path").focus();
}

async function explain() {
  const own = (latest += 1);
  const shown = await ask().catch((error) => [element("p", "answer bad", error.message)]);
  if (own === latest) find("explanation").replaceChildren(...shown);
}

async function ask() {
  const response = await fetch("explain", {
    method: "POST",
    headers: { "content-type": "application/json", "x-waymark-token": token },
    body: JSON.stringify({
      method: find("method").value.trim().toUpperCase(),
      path: find("path").value.trim().replace(/[^!-~]+/g, (run) => encodeURIComponent(run.toWellFormed())),
      host: find("host").value.trim() || undefined,
      address: find("address").value.trim() || undefined,
      headers: readHeaders(find("headers").value),
    }),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  return show(await response.json());
}

function readHeaders(text) {
  const lines = text.split("\\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [line, ""] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
}

function show(told) {
  const { placeholders, metadata, forwarded, refusal, access, policies } = told;
  return [
    summary(told),
    ...(refusal ? part("Why it is refused", element("p", "", refusal.message), element("p", "", refusal.rule)) : []),
    ...(placeholders.length > 0 ? part("Placeholders", list(placeholders.map((one) => ["{" + one.name + "}", value(one) + " (from the " + one.from + ")"]))) : []),
    ...(access ? part("Who may come in", element("p", "", access.summary)) : []),
    ...(policies.length > 0 ? part("What else holds", list(policies.map(({ title, lines }) => [title, lines.join("; ")]))) : []),
    ...(forwarded ? part("Sent upstream, unless middleware or a handler changes it", sent(forwarded)) : []),
    ...(forwarded?.answerHeaders ? part("Changed in the answer", list(Object.entries(forwarded.answerHeaders))) : []),
    ...(metadata.length > 0 ? part("Metadata", list(metadata.map((one) => [one.key, quote(one.value) + origin(one)]))) : []),
    ...part("Routes, in the order in which they are tried", ...routes(told.routes)),
  ];
}

function summary({ outcome, route, forwarded, refusal }) {
  if (refusal) return element("p", "answer bad", "Route " + quote(route) + " takes it, but it is answered " + refusal.status + " (" + refusal.code + ")");
  if (!forwarded) return element("p", "answer bad", "No route takes it: it goes to the next handler of the app, or is answered 404");
  const how = outcome === "websocket" ? " opens a WebSocket to " : " sends it to ";
  return element("p", "answer good", "Route " + quote(route) + how + forwarded.url);
}

function part(title, ...contents) {
  return [element("h3", "", title), ...contents];
}

function value({ value, decoded }) {
  return quote(value) + (decoded === value ? "" : ", decoded " + quote(decoded));
}

function origin({ from, replaces }) {
  if (from === "global") return " (from GlobalConfiguration)";
  return replaces === undefined ? " (from the route)" : " (from the route, instead of " + quote(replaces) + " of GlobalConfiguration)";
}

function sent({ method, url, otherOrigins, balancer, headers }) {
  const others = otherOrigins.length === 0 ? [] : [["or to", otherOrigins.join(", ") + " (" + balancer + ")"]];
  return list([[method, url], ...others, ...Object.entries(headers).map(([name, text]) => [name, String(text)])]);
}

/** Those that fit are always there; of many others the first ones, the rest behind a button. */
function routes(all) {
  const items = all.map((route) => {
    const why = route.reasons.map(({ aspect, message }) => (aspect === "order" ? message : aspect + ": " + message)).join("; ");
    const what = [route.methods.join(","), (route.host ?? "") + route.upstreamPathTemplate].filter((text) => text !== "").join(" ");
    const item = element("li", looks[route.verdict], element("strong", "", route.id), " ", element("code", "", what), " – " + words[route.verdict] + " – " + why);
    item.hidden = all.length > shownAtOnce && route.verdict === "does-not-match";
    return item;
  });
  const hidden = items.filter((item) => item.hidden);
  const ordered = element("ol", "routes", ...items);
  if (hidden.length === 0) return [ordered];
  const more = element("button", "", "Show the " + hidden.length + " routes that do not match");
  more.type = "button";
  more.addEventListener("click", () => {
    for (const item of hidden) item.hidden = false;
    more.remove();
  });
  return [ordered, more];
}

function quote(text) {
  return JSON.stringify(text);
}
`;
