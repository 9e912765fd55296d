/** How the page shows an operation, and lets one try it. */
export const operationScript = `import { element, list } from "./elements.js";
import { bodiesOf, parametersOf, resolve, sampleOf } from "./read.js";
import { createRequest, send } from "./request.js";

let lastId = 0;

/** An operation; what is in it is made when it is opened. */
export function showOperation(entry, credentialsFor) {
  const { path, method, operation } = entry;
  const title = element("summary", "", element("span", "method", method), path, element("span", "quiet", operation.summary ? " – " + operation.summary : ""));
  const made = element("details", operation.deprecated ? "deprecated" : "", title);
  let isFilled = false;
  made.addEventListener("toggle", () => {
    if (isFilled || !made.open) return;
    isFilled = true;
    made.append(...contentsOf(entry, credentialsFor));
  });
  return made;
}

function contentsOf(entry, credentialsFor) {
  const { root, operation } = entry;
  const about = [operation.deprecated ? "Deprecated." : "", operation.description ?? ""].filter((text) => text !== "");
  const told = about.map((text) => element("p", "text", text));
  const required = (operation.security ?? []).map((one) => Object.keys(one).join(" and ")).filter((text) => text !== "");
  if (required.length > 0) told.push(element("p", "note", "Needs " + required.join(", or ") + "."));
  return [...told, ...createForm(entry, credentialsFor), ...showResponses(root, operation)];
}

function createForm(entry, credentialsFor) {
  const { root, operation, method, path } = entry;
  const fields = parametersOf(root, operation)
    .filter((one) => !["body", "formData"].includes(one.in))
    .map((parameter) => ({ parameter, ...createField(parameter) }));
  const bodies = method === "GET" || method === "HEAD" ? [] : bodiesOf(root, operation);
  const body = bodies.length === 0 ? undefined : createBody(root, bodies);
  const button = element("button", "", "Send");
  button.type = "submit";
  button.setAttribute("aria-label", "Send " + method + " " + path);
  const answer = element("div", "");
  answer.setAttribute("aria-live", "polite");
  const form = element("form", "", ...fields.map(({ line }) => line), ...(body?.lines ?? []), element("p", "field wide", button));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    answer.replaceChildren(element("p", "quiet", "Waiting…"));
    try {
      const parameters = fields.map(({ parameter, input }) => ({ parameter, value: input.value }));
      const request = createRequest(entry, { parameters, type: body?.type.value, text: body?.input.value ?? "" }, credentialsFor(operation));
      answer.replaceChildren(...showAnswer(request, await send(request)));
    } catch (error) {
      answer.replaceChildren(element("p", "answer bad", error instanceof Error ? error.message : String(error)));
    }
    button.disabled = false;
  });
  return [form, answer];
}

function labelled(text, input, className) {
  lastId += 1;
  input.id = "field-" + lastId;
  const label = element("label", "", text);
  label.htmlFor = input.id;
  return element("p", className, label, input);
}

function createField({ name, in: place, required, description, schema, type, example, enum: own }) {
  const input = element("input", "");
  input.autocomplete = "off";
  input.spellcheck = false;
  const words = own ?? schema?.enum;
  // What stands in a path decides who gets the request: whoever sends it writes it.
  if (words?.length === 1 && place !== "path") input.value = String(words[0]);
  else input.placeholder = words === undefined ? [example ?? schema?.type ?? type ?? ""].flat().join(" or ") : words.join(" or ");
  const note = place === "cookie" ? "; the browser sends its own" : required ? "" : ", optional";
  const line = labelled(name + " (" + place + note + ")", input, "field grow");
  if (place === "cookie") input.disabled = true;
  if (typeof description === "string") line.append(element("span", "note", description));
  return { input, line };
}

function createBody(root, bodies) {
  const input = element("textarea", "");
  input.rows = 6;
  input.spellcheck = false;
  const type = element("select", "", ...bodies.map(({ type: text }) => element("option", "", text)));
  const fill = () => (input.value = sampleText(root, bodies[type.selectedIndex]));
  type.addEventListener("change", fill);
  fill();
  return { input, type, lines: [labelled("Type of the body", type, "field wide"), labelled("Body", input, "field wide")] };
}

function sampleText(root, { type, schema, example }) {
  const sample = example ?? sampleOf(root, schema);
  if (/form-urlencoded|form-data/.test(type)) return Object.entries(sample ?? {}).map(([name, value]) => name + "=" + String(value ?? "")).join("\\n");
  if (/json/.test(type)) return JSON.stringify(sample, undefined, 2);
  return typeof sample === "string" ? sample : "";
}

function showAnswer({ method }, { status, statusText, headers, url, text, isWhole, milliseconds }) {
  const kind = status < 300 ? "good" : status < 400 ? "odd" : "bad";
  const body = text === "" ? [] : [element("pre", "", pretty(text))];
  const cut = isWhole ? [] : [element("p", "note", "The rest is not shown.")];
  return [element("p", "answer " + kind, status + " " + statusText + ", after " + milliseconds + " ms"), element("p", "note", method + " " + url), list(headers), ...body, ...cut];
}

function pretty(text) {
  try {
    // Numbers would lose digits: only what is safe is laid out.
    return /\\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function showResponses(root, operation) {
  const lines = Object.entries(operation.responses ?? {}).map(([status, written]) => {
    const response = resolve(root, written) ?? {};
    const schema = response.schema ?? Object.values(response.content ?? {})[0]?.schema;
    const text = element("p", "text", element("strong", "", status), " ", response.description ?? "");
    return schema === undefined ? text : element("div", "", text, element("pre", "", JSON.stringify(schema, undefined, 2)));
  });
  return lines.length === 0 ? [] : [element("h3", "", "Answers"), ...lines];
}
`;
