import { closestName } from "../closest-name.ts";
import type { AggregateEntry, ConfigRule, RouteEntry, Rulebook } from "../config/rules/rule.ts";
import { quote } from "../json/json-node.ts";
import { locate } from "../json/place.ts";
import { takesMethod } from "../routing/method-condition.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { checkPartValues } from "./part-values-rule.ts";
import { valuesOfPart } from "./part-values.ts";

type Report = Rulebook["report"];

/** An aggregate, and those of its parts that there are. */
type Whole = Readonly<{ aggregate: AggregateEntry; parts: readonly RouteEntry[] }>;

/** The parts of an aggregate are routes that take its requests, and that it fills. */
export const checkAggregates: ConfigRule = function* checkAggregates({ routes, aggregates, report }) {
  if (aggregates.length === 0) return;
  const byKey = new Map(routes.map((route) => [route.config.Key, route]));
  const keys = [...byKey.keys()].filter((key) => key !== undefined);
  for (const aggregate of aggregates) {
    yield;
    const { place, config } = aggregate;
    const wanted = config.RouteKeys ?? [];
    if (wanted.length === 0) {
      report("parts-missing", place, 'the aggregate has no parts: name the "Key"s of routes in "RouteKeys"');
    }
    wanted.forEach((key, index) => {
      if (byKey.has(key)) return;
      const closest = closestName(key, keys);
      const hint = closest === undefined ? "" : ` – did you mean ${quote(closest)}?`;
      const found = `no route has the Key ${quote(key)}, so the aggregate lacks a part`;
      report("part-unknown", locate(place, ["RouteKeys", index]), `${found}: give it to a route, or correct it${hint}`);
    });
    const whole = { aggregate, parts: [...new Set(wanted)].flatMap((key) => byKey.get(key) ?? []) };
    for (const rule of [checkFilled, checkMethods, checkConditions, checkRequestIds]) rule(whole, report);
    checkPartValues(whole, report);
  }
};

/** Every placeholder of a part has a value: the client's, or one of the first part's answer. */
function checkFilled({ aggregate: { place, config }, parts }: Whole, report: Report): void {
  const given = namesIn(config);
  for (const [index, part] of parts.entries()) {
    const filled = index === 0 ? undefined : valuesOfPart(config, part.config.Key!)?.placeholder;
    const unfilled = [...namesIn(part.config)].filter((name) => !given.has(name) && name !== filled);
    for (const name of unfilled) {
      const found = `nothing fills ${quote(`{${name}}`)} of the part ${quote(part.config.Key!)}`;
      const remedy = 'add it to "UpstreamPathTemplate", or a "Parameter" of "RouteKeysConfig"';
      report("part-unfilled", locate(place, ["RouteKeys"]), `${found}: ${remedy}`);
    }
  }
}

function namesIn({ UpstreamPathTemplate = "", UpstreamHeaderTemplates }: RouteEntry["config"]): ReadonlySet<string> {
  return new Set(parseUpstreamTemplate(UpstreamPathTemplate, UpstreamHeaderTemplates).origins.keys());
}

/** Each part takes every method of the aggregate. */
function checkMethods({ aggregate: { place, config }, parts }: Whole, report: Report): void {
  const methods = config.UpstreamHttpMethod ?? ["GET"];
  for (const { config: part } of parts) {
    const taken = part.UpstreamHttpMethod;
    const refused = methods.filter((method) => !takesMethod(taken, method));
    if (refused.length === 0) continue;
    const found = `the part ${quote(part.Key!)} does not take ${refused.join(", ")}`;
    const remedy = "add it to the UpstreamHttpMethod of that route, or remove it here";
    report("part-method", locate(place, ["UpstreamHttpMethod"]), `${found}, which the aggregate takes: ${remedy}`);
  }
}

/** What a part asks of requests, besides its path, the aggregate asks as well: behind it nobody would. */
function checkConditions({ aggregate: { place, config }, parts }: Whole, report: Report): void {
  const headers = new Map(lowerCase(config.UpstreamHeaderTemplates));
  for (const { config: part } of parts) {
    const hosts = part.UpstreamHost?.toLowerCase() === config.UpstreamHost?.toLowerCase();
    const missing = lowerCase(part.UpstreamHeaderTemplates).filter(([name, text]) => headers.get(name) !== text);
    const asked = [
      ...(hosts || part.UpstreamHost === undefined ? [] : ["UpstreamHost"]),
      ...missing.map(([name]) => name),
    ];
    if (asked.length === 0) continue;
    const found = `the part ${quote(part.Key!)} takes only some requests (${asked.join(", ")})`;
    report("part-condition", locate(place, ["RouteKeys"]), `${found}: ask for the same here, or not there`);
  }
}

function lowerCase(templates: Readonly<Record<string, string>> = {}): (readonly [string, string])[] {
  return Object.entries(templates).map(([name, text]) => [name.toLowerCase(), text] as const);
}

/** There is one request, and so one id. */
function checkRequestIds({ aggregate: { place }, parts }: Whole, report: Report): void {
  for (const { config: part } of parts) {
    if (part.RequestIdKey === undefined) continue;
    const found = `the part ${quote(part.Key!)} has a "RequestIdKey" of its own, but a request has one id`;
    report("part-request-id", locate(place, ["RouteKeys"]), `${found}: write it into "GlobalConfiguration"`);
  }
}
