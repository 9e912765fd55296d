/** How the page makes a request of what was filled in, and sends it: to its own origin only. */
export const requestScript = `import { serverOf } from "./read.js";

const mostBytes = 1048576;
const patience = 30000;
// What browsers escape in a path, and what would end it.
const escaped = /[^!-~]|["#<>?^\\x60{|}]/gu;

/** The request of an operation; throws what is wrong with what was filled in. */
export function createRequest({ root, documentUrl, path, method, operation }, values, credentials) {
  const headers = new Headers();
  const query = new URLSearchParams();
  let filled = path;
  for (const { parameter, value } of values.parameters) {
    const { name, in: place, required } = parameter;
    if (value === "" && required === true) throw new Error(name + " is missing.");
    if (value === "") continue;
    if (place === "path") filled = filled.replace("{" + name + "}", () => segmentOf(name, value));
    if (place === "query") for (const one of listOf(parameter, value)) query.append(name, one);
    if (place === "header") headers.set(name, value);
  }
  for (const [scheme, value] of credentials) addCredential(scheme, value, { headers, query });
  const url = urlOf(new URL(serverOf(root, operation, documentUrl)), filled);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const body = method === "GET" || method === "HEAD" ? undefined : bodyOf(values, headers);
  return new Request(url, { method, headers, body, credentials: "same-origin", cache: "no-store", referrerPolicy: "no-referrer" });
}

/** Browsers take dots for steps, and backslashes for slashes: a path that would become another one might be another service's. */
function urlOf({ origin, pathname }, filled) {
  if (origin !== location.origin) throw new Error("This operation is at " + origin + ". A page asks its own origin only: open this one there.");
  const path = (pathname.replace(/[/]$/, "") + filled).replace(escaped, encodeURIComponent);
  const url = new URL(origin + path);
  if (url.pathname !== path) throw new Error("A browser would ask for " + url.pathname + ", not for " + path + ".");
  return url;
}

/** Says it by the name of the parameter, where one value is all of a segment. */
function segmentOf(name, value) {
  if (value === "." || value === "..") throw new Error(name + " cannot be " + value + " in a path.");
  return encodeURIComponent(value);
}

function listOf({ type, schema, style, explode, collectionFormat }, value) {
  const isList = (type ?? schema?.type) === "array";
  const isRepeated = type === undefined ? (style ?? "form") === "form" && explode !== false : collectionFormat === "multi";
  return isList && isRepeated ? value.split(",") : [value];
}

function addCredential({ type, scheme, in: place, name }, value, { headers, query }) {
  if (type === "basic" || (type === "http" && scheme === "basic")) headers.set("Authorization", "Basic " + btoa(value));
  else if (type === "apiKey" && place === "query") query.append(name, value);
  else if (type === "apiKey" && place === "header") headers.set(name, value);
  else if (type === "http" && scheme !== "bearer") headers.set("Authorization", scheme + " " + value);
  else if (type !== "apiKey") headers.set("Authorization", "Bearer " + value);
}

function bodyOf({ type, text }, headers) {
  if (type === undefined || text === "") return undefined;
  const pairs = text.split("\\n").filter((line) => line !== "").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]);
  if (type === "application/x-www-form-urlencoded") return new URLSearchParams(pairs);
  if (type === "multipart/form-data") {
    const form = new FormData();
    for (const [name, value] of pairs) form.append(name, value);
    return form;
  }
  headers.set("Content-Type", type);
  return text;
}

/** Sends a request, and reads of the answer as much as can be shown. */
export async function send(request) {
  const began = performance.now();
  const response = await fetch(request, { signal: AbortSignal.timeout(patience) });
  const { status, statusText, headers, url } = response;
  const { text, isWhole } = await readText(response);
  return { status, statusText, headers: [...headers], url, text, isWhole, milliseconds: Math.round(performance.now() - began) };
}

async function readText({ body, headers }) {
  if (body === null) return { text: "", isWhole: true };
  const type = headers.get("content-type") ?? "";
  const isText = type === "" || /^text[/]|json|xml|javascript|form-urlencoded|yaml/i.test(type);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let [text, length] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: isText ? text + decoder.decode() : length + " bytes of " + type, isWhole: true };
    length += value.length;
    if (isText) text += decoder.decode(value, { stream: true });
    if (length <= mostBytes) continue;
    await reader.cancel();
    return { text: isText ? text : "more than " + mostBytes + " bytes of " + type, isWhole: false };
  }
}
`;
