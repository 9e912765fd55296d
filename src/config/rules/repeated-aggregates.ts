import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import { identityOf } from "./repeated-routes.ts";
import { addOwner, firstOverlap, type MethodOwners } from "./method-owners.ts";
import type { AggregateEntry, ConfigRule, RouteEntry } from "./rule.ts";

/** A `Key` names one route, or one aggregate. */
export const checkAggregateNames: ConfigRule = function checkAggregateNames({ routes, aggregates, report }) {
  if (aggregates.length === 0) return;
  const seen = new Map(routes.map(({ name, config }) => [config.Key, name]));
  for (const { index, name, place, config } of aggregates) {
    const key = config.Key ?? `aggregate-${index}`;
    const other = seen.get(key);
    seen.set(key, name);
    if (other === undefined) continue;
    const found = `${name} and ${other} have the same name ${quote(key)}`;
    report("route-key-repeated", locate(place, ["Key"]), `${found}: choose another Key`);
  }
};

/** No aggregate takes the requests of a route, or of another aggregate, by the same templates. */
export const checkRepeatedAggregates: ConfigRule = function* checkRepeatedAggregates({ routes, aggregates, report }) {
  if (aggregates.length === 0) return;
  const wanted = new Set(aggregates.map(identityOf));
  const owners = new Map<string, MethodOwners<RouteEntry | AggregateEntry>>();
  for (const route of routes) {
    yield;
    if (wanted.has(identityOf(route))) addOwner(owners, identityOf(route), route);
  }
  for (const aggregate of aggregates) {
    const { UpstreamPathTemplate, UpstreamHttpMethod = ["GET"] } = aggregate.config;
    if (UpstreamPathTemplate === undefined) continue;
    const identity = identityOf(aggregate);
    const others = owners.get(identity);
    const overlap = others && firstOverlap(others, UpstreamHttpMethod);
    addOwner(owners, identity, { ...aggregate, config: { ...aggregate.config, UpstreamHttpMethod } });
    if (overlap === undefined) continue;
    const found = `${aggregate.name} repeats ${overlap.route.name}: the same template ${quote(UpstreamPathTemplate)}`;
    const remedy = "remove one, or part their methods";
    report("route-repeated", locate(aggregate.place, ["UpstreamPathTemplate"]), `${found}; ${remedy}`);
  }
};
