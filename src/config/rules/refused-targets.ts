import { bareServiceName } from "../../capabilities/naming-service/bare-service-name.ts";
import { isCut } from "../../capabilities/naming-service/guard-service-name.ts";
import { goesToNamingService } from "../../discovery/provider-of.ts";
import { quote } from "../../json/json-node.ts";
import { encodeLiteral } from "../../templates/template.ts";
import { findPathFault } from "../../urls/path-faults.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule, RouteRule } from "./rule.ts";

/** Warns of a template that makes the gateway refuse every request of its route. */
export const warnOfRefusedTargets: RouteRule = function warnOfRefusedTargets({ config, place }, report) {
  const { DownstreamPathTemplate: path } = config;
  const pathReason = path === undefined ? undefined : pathFault(path);
  if (pathReason !== undefined) {
    const message = `every request of this route will be refused: ${pathReason} in ${quote(path!)}`;
    report("request-always-refused", locate(place, ["DownstreamPathTemplate"]), message);
  }
};

/** The same for the name of a service that the naming service is to read. */
export const warnOfRefusedServices: ConfigRule = function* warnOfRefusedServices({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("ServiceName")) {
    yield;
    if (!goesToNamingService(config, global.config)) continue;
    const { ServiceName: service = "" } = config;
    const reason = serviceFault(bareServiceName(service.trim()));
    if (reason === undefined) continue;
    const message = `every request of this route will be refused: ${reason} in ${quote(service)}`;
    report("request-always-refused", locate(place, ["ServiceName"]), message);
  }
};

function pathFault(template: string): string | undefined {
  const path = pathOf(template);
  if (/\.|%2e/i.test(path) && path.split(/[/\\]/).some(isDotSegment)) return "there is a dot segment";
  return template.includes("#") ? 'there is a "#"' : writtenFault(path);
}

/** What is written between placeholders: beside them a percent sign may become the beginning of an escape. */
function writtenFault(template: string): string | undefined {
  const fault = findPathFault(encodeLiteral(template.replace(/\{\w*\}/g, "aa")));
  return fault === undefined ? undefined : `there is ${fault.what}`;
}

function serviceFault(name: string): string | undefined {
  const segments = name.split("/");
  if (name !== "" && segments.includes("")) return "there is an empty segment";
  if (segments.some(isDotSegment)) return "there is a dot segment";
  // The naming service cuts the name there.
  return segments.some(isCut) ? "one of $ + | ~ stands in a late segment" : writtenFault(name);
}

function isDotSegment(segment: string): boolean {
  return /^\.\.?(;|$)/.test(segment.replace(/%2e/gi, "."));
}
