import { goesToNamingService } from "../../discovery/provider-of.ts";
import { quote } from "../../json/json-node.ts";
import { compileValuePattern, locateValues } from "../../templates/segment-pattern.ts";
import { parseTemplate, placeholderNames } from "../../templates/template.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule, RouteEntry, Rulebook } from "./rule.ts";
import { fixedServiceName, openPlaceholder } from "./target-texts.ts";

/** The naming service gives up after so many seconds. */
const longestWait = 120;
// A bound for configurations in which very many names go on from one.
const mostContinuations = 20;
// Longer names are not looked into: the cost would grow with the square of their length.
const mostSegments = 32;

/** Warns where a value that may hold slashes, or nothing, becomes part of a service name. */
export const warnOfOpenValues: ConfigRule = function* warnOfOpenValues({ routesAskingFor, global, report }) {
  for (const route of routesAskingFor("ServiceName")) {
    yield;
    if (goesToNamingService(route.config, global.config)) warnOfOpenValue(route, report);
  }
};

function warnOfOpenValue({ config, place }: RouteEntry, report: Rulebook["report"]): void {
  const { UpstreamPathTemplate: template, ServiceName: service } = config;
  if (template === undefined || service === undefined) return;
  const name = openPlaceholder(template);
  if (name === undefined || !placeholderNames(service).includes(name)) return;
  const found = `${quote(`{${name}}`)} is the last placeholder of ${quote(template)}, so it may bring slashes or nothing`;
  const reason = `a service name with such a value is refused with 400`;
  const closed = template.replace(/(?=\?|$)/, "/");
  const remedy = `end the path with a slash, ${quote(closed)}, or with another placeholder`;
  report("service-value-open", locate(place, ["ServiceName"]), `${found}, and ${reason}: ${remedy}`);
}

/** Warns of a route that waits longer than the naming service does. */
export const warnOfLongTimeouts: ConfigRule = function warnOfLongTimeouts({ routesAskingFor, global, report }) {
  const services = routesAskingFor("ServiceName").filter(
    ({ config }) => goesToNamingService(config, global.config) && !tellsTimeout(config),
  );
  const tooLong = services.filter(({ config }) => (config.Timeout ?? 0) > longestWait);
  const globalTimeout = global.config.Timeout ?? 0;
  const inheriting =
    globalTimeout > longestWait ? services.find(({ config }) => config.Timeout === undefined) : undefined;
  for (const { place, config } of [...(inheriting === undefined ? [] : [global]), ...tooLong]) {
    const found = `Timeout ${config.Timeout} is longer than the naming service waits`;
    const remedy = `write ${longestWait} or less, or tell it in the path: "DownstreamPathTemplate": "/…?Timeout=${config.Timeout}"`;
    const message = `${found}, which answers 504 itself after ${longestWait} seconds: ${remedy}`;
    report("timeout-too-long", locate(place, ["Timeout"]), message);
  }
};

function tellsTimeout({ DownstreamPathTemplate: template = "" }: RouteEntry["config"]): boolean {
  return /[?&]Timeout=/.test(template);
}

/** Warns where the name of a service goes on at the end of another one's: the naming service takes the longest. */
export const warnOfContinuedNames: ConfigRule = function* warnOfContinuedNames({ routesAskingFor, global, report }) {
  const routes = routesAskingFor("ServiceName").filter(({ config }) => goesToNamingService(config, global.config));
  const owners = new Map<string, RouteEntry>();
  for (const route of routes) {
    const name = fixedServiceName(route);
    if (name !== undefined && !owners.has(name)) owners.set(name, route);
  }
  const continuations = continuationsAmong(owners);
  if (continuations.size === 0) return;
  for (const route of routes) {
    yield;
    const name = fixedServiceName(route) ?? "";
    const longer = continuations.get(name)?.find((other) => mayReach(route, other.slice(name.length + 1).split("/")));
    if (longer === undefined) continue;
    continuations.delete(name);
    const found = `ServiceName ${quote(name)} goes on in ${quote(longer)} of ${owners.get(longer)!.name}`;
    const path = quote(longer.slice(name.length));
    const reason = `the naming service takes the longest name, so what this route sends to ${path} and below reaches that one`;
    report("service-continued", locate(route.place, ["ServiceName"]), `${found}: ${reason}; rename one of the two`);
  }
};

/** The names that begin with another name, by that one. */
function continuationsAmong(names: ReadonlyMap<string, unknown>): Map<string, readonly string[]> {
  const continuations = new Map<string, string[]>();
  for (const name of names.keys()) {
    for (const shorter of beginningsOf(name)) {
      if (!names.has(shorter)) continue;
      const longer = continuations.get(shorter) ?? [];
      continuations.set(shorter, longer);
      if (longer.length < mostContinuations) longer.push(name);
    }
  }
  return continuations;
}

function* beginningsOf(name: string): Generator<string> {
  let end = name.indexOf("/");
  for (let count = 0; end !== -1 && count < mostSegments; count += 1) {
    yield name.slice(0, end);
    end = name.indexOf("/", end + 1);
  }
}

/** Whether the downstream path of a route can begin with the segments. */
function mayReach({ config }: RouteEntry, segments: readonly string[]): boolean {
  const { UpstreamPathTemplate: upstream, DownstreamPathTemplate: downstream } = config;
  if (upstream === undefined || downstream === undefined) return false;
  const written = pathOf(downstream).split("/").slice(1);
  const open = openPlaceholder(upstream);
  const reachesOn = open !== undefined && (written.at(-1) ?? "").endsWith(`{${open}}`);
  return segments.every((segment, index) => {
    const own = written[index];
    return own === undefined ? reachesOn : takes(own, segment);
  });
}

function takes(segment: string, text: string): boolean {
  const pattern = compileValuePattern(
    parseTemplate(segment, (literal) => literal),
    (literal) => literal,
  );
  const end = text.length;
  return locateValues(pattern, text, { start: 0, end, reach: end, least: 0 }) !== undefined;
}
