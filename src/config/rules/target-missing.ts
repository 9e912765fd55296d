import { bareServiceName } from "../../capabilities/naming-service/bare-service-name.ts";
import { isEmptyNode, quote } from "../../json/json-node.ts";
import { findMember, locate } from "../../json/place.ts";
import type { OpenRoute, RouteRule } from "./rule.ts";

/** Ocelot reads what a route lacks from the file of an environment, which may not have been given here. */
export const overlayAdvice = "if it stands in another file, such as ocelot.Production.json, merge the two first";

/** A route goes somewhere: to a service or to a host. */
export const requireTarget: RouteRule = function requireTarget(route, report) {
  const { config, place } = route;
  if (config.ServiceName !== undefined && bareServiceName(config.ServiceName.trim()) === "") {
    const message = `expected the name of an application and a service, found ${quote(config.ServiceName)}`;
    report("target-missing", locate(place, ["ServiceName"]), message);
  }
  if (config.ServiceName !== undefined || (config.DownstreamHostAndPorts?.length ?? 0) > 0) return;
  // What is written but could not be read was reported when it was read.
  if (["ServiceName", "DownstreamHostAndPorts", "DownstreamHost"].some((key) => isGiven(route, key))) return;
  const expected = "expected DownstreamHostAndPorts or a ServiceName";
  report("target-missing", place, `the route goes nowhere: ${expected}; ${overlayAdvice}`);
};

function isGiven({ place }: OpenRoute, key: string): boolean {
  const member = findMember(place, key);
  if (member === undefined || isEmptyNode(member.node)) return false;
  return !("text" in member.node) || member.node.text.trim() !== "";
}
