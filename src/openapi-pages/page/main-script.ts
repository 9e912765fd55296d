/** The choice of the document, and the start of everything. */
export const mainScript = `import { element, find } from "./elements.js";
import { showOperation } from "./operation.js";
import { operationsOf, schemasOf, schemesOf } from "./read.js";

const mostShown = 300;
let documents = [];
let shown;
const credentials = new Map();

async function readJson(url) {
  const response = await fetch(url, { cache: "no-store" });
  const text = await response.text();
  if (!response.ok) throw new Error(detailOf(text) ?? "The answer is " + response.status + ".");
  return JSON.parse(text);
}

function detailOf(text) {
  try {
    return JSON.parse(text).detail;
  } catch {
    return undefined;
  }
}

async function start() {
  documents = await readJson("docs");
  find("document").replaceChildren(...documents.map(({ name, version }) => element("option", "", (name + " " + version).trim())));
  if (documents.length === 0) state("The configuration names no documents: see SwaggerEndPoints.");
  else await choose();
}

async function choose() {
  const chosen = documents[find("document").selectedIndex];
  state("Loading…");
  find("source").href = chosen.url;
  const documentUrl = new URL(chosen.url, location.href).href;
  try {
    const root = await readJson(chosen.url);
    if (chosen !== documents[find("document").selectedIndex]) return;
    shown = operationsOf(root).map((entry) => ({ ...entry, root, documentUrl }));
    show(root);
    state(root.info?.title + " " + root.info?.version);
  } catch (error) {
    shown = [];
    show({});
    state(error.message);
  }
}

function show(root) {
  const { description } = root.info ?? {};
  find("about").replaceChildren(...(description === undefined ? [] : [element("p", "text", description)]));
  showCredentials(schemesOf(root));
  showOperations();
  const schemas = Object.entries(schemasOf(root)).slice(0, mostShown);
  find("schemas").hidden = schemas.length === 0;
  find("schema-list").replaceChildren(...schemas.map(([name, schema]) => element("details", "", element("summary", "", name), element("pre", "", JSON.stringify(schema, undefined, 2)))));
}

function showOperations() {
  const wanted = find("filter").value.trim().toLowerCase();
  const chosen = shown.filter(({ method, path, operation }) => [method, path, operation.summary ?? "", (operation.tags ?? []).join(" ")].join(" ").toLowerCase().includes(wanted));
  find("operations").replaceChildren(...chosen.slice(0, mostShown).map((entry) => showOperation(entry, credentialsFor)));
  const left = chosen.length - mostShown;
  find("operations-note").textContent = chosen.length + " of " + shown.length + " operations" + (left > 0 ? ", the first " + mostShown + " are shown" : "");
}

function showCredentials(schemes) {
  credentials.clear();
  const fields = Object.entries(schemes).filter(([, scheme]) => scheme.in !== "cookie").map(([name, scheme]) => createField(name, scheme));
  find("credentials").hidden = fields.length === 0;
  find("credential-fields").replaceChildren(...fields);
}

function createField(name, scheme) {
  const input = element("input", "");
  input.type = "password";
  input.autocomplete = "off";
  input.id = "credential-" + name;
  const label = element("label", "", name + (scheme.type === "basic" || scheme.scheme === "basic" ? " (user:password)" : ""));
  label.htmlFor = input.id;
  input.addEventListener("input", () => credentials.set(name, { scheme, input }));
  return element("p", "field grow", label, input);
}

/** Those of the first way to come in for which all are filled in. */
function credentialsFor({ security = [] }) {
  const isGiven = (name) => (credentials.get(name)?.input.value ?? "") !== "";
  const way = security.map((one) => Object.keys(one)).find((names) => names.length > 0 && names.every(isGiven)) ?? [];
  return way.map((name) => [credentials.get(name).scheme, credentials.get(name).input.value]);
}

function state(text) {
  find("state").textContent = text;
}

find("document").addEventListener("change", choose);
find("filter").addEventListener("input", showOperations);
for (const id of ["choice", "credential-fields"]) find(id).addEventListener("submit", (event) => event.preventDefault());
start().catch((error) => state(error.message));
`;
