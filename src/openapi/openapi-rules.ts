import { closestName } from "../closest-name.ts";
import type { ConfigRule, EndpointEntry, Rulebook } from "../config/rules/rule.ts";
import { quote } from "../json/json-node.ts";
import { locate } from "../json/place.ts";
import type { SwaggerDocumentConfig } from "./openapi-keys.ts";
import { readServerAddress } from "./servers.ts";
import { isSomewhere, usualVersion } from "./where-documents-are.ts";

type Report = Rulebook["report"];
type Documents = readonly (SwaggerDocumentConfig | undefined)[];

/** The documents of services can be found, each has an address of its own, and routes and documents meet by their keys. */
export const checkSwaggerEndpoints: ConfigRule = function* checkSwaggerEndpoints({ endpoints, routes, report }) {
  const byKey = new Map<string, EndpointEntry>();
  for (const endpoint of endpoints) {
    yield;
    checkKey(endpoint, byKey, report);
    checkDocuments(endpoint, report);
    const { HostOverride: host } = endpoint.config;
    if (host === undefined || readServerAddress(host) !== undefined) continue;
    const message = `expected a host, such as "api.example.org", or a URL, found ${quote(host)}`;
    report("swagger-url-invalid", locate(endpoint.place, ["HostOverride"]), message);
  }
  const used = new Set<string>();
  for (const { place, config } of routes) {
    yield;
    const { SwaggerKey: key } = config;
    if (key === undefined) continue;
    used.add(key);
    if (byKey.has(key)) continue;
    const found = `no entry of "SwaggerEndPoints" has the Key ${quote(key)}, so no document tells of the route`;
    report("swagger-key-unknown", locate(place, ["SwaggerKey"]), `${found}${hintAt(key, [...byKey.keys()])}`);
  }
  for (const [key, { place }] of byKey) {
    if (used.has(key)) continue;
    const found = `no route has the SwaggerKey ${quote(key)}, so the documents of it hold nothing`;
    report("swagger-key-unused", locate(place, ["Key"]), `${found}${hintAt(key, [...used])}`);
  }
};

function hintAt(key: string, known: readonly string[]): string {
  const closest = closestName(key, known);
  return closest === undefined ? "" : ` – did you mean ${quote(closest)}?`;
}

function checkKey({ config, place }: EndpointEntry, byKey: Map<string, EndpointEntry>, report: Report): void {
  const { Key: key } = config;
  if (key === undefined) {
    report("swagger-key-missing", place, '"Key" is missing, so no route can say that the documents are about it');
    return;
  }
  if (byKey.has(key)) {
    const message = `another entry has the Key ${quote(key)}: put the documents of both into one "Config"`;
    report("swagger-repeated", locate(place, ["Key"]), message);
  }
  byKey.set(key, { config, place });
}

function checkDocuments({ config, place }: EndpointEntry, report: Report): void {
  const documents: Documents = config.Config ?? [];
  if (documents.length === 0) {
    report("swagger-document-missing", place, '"Config" is missing, so no document is shown: it says where they are');
  }
  const seen = new Set<string>();
  for (const [index, document] of documents.entries()) {
    // What is no object was reported when it was read.
    if (document === undefined) continue;
    const at = locate(place, ["Config", index]);
    const { Version: version = usualVersion, Url: url, Service: service } = document;
    if (seen.has(version)) {
      report("swagger-repeated", locate(at, ["Version"]), `another document has the Version ${quote(version)}`);
    }
    seen.add(version);
    if (url !== undefined) checkUrl(url, locate(at, ["Url"]), report);
    else if (!isSomewhere(document)) {
      const lacking = '"Url" is missing, or "Service" with a "Name"';
      report("swagger-document-missing", at, `${lacking}: nobody knows where the document is, so it is not shown`);
    } else if (service?.Path !== undefined) checkPath(service.Path, locate(at, ["Service", "Path"]), report);
  }
}

function checkUrl(text: string, place: EndpointEntry["place"], report: Report): void {
  const url = URL.parse(text);
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  // An address is not repeated: what is wrong with it may be a password.
  if (!isUsable) report("swagger-url-invalid", place, "expected a URL with http: or https:, and without a password");
}

function checkPath(path: string, place: EndpointEntry["place"], report: Report): void {
  if (/^\/[!-"$-~]*$/.test(path)) return;
  report("swagger-url-invalid", place, `expected a path such as "/swagger/v1/swagger.json", found ${quote(path)}`);
}
