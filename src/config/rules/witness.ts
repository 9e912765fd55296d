import { encodeLiteral } from "../../templates/template.ts";
import type { RouteEntry } from "./rule.ts";

const placeholder = /\{\w+\}/g;

/** What stands for any value in an example. */
export const sampleValue = "1";

/** A request that a route is meant for, as people write it: `GET /orders/1`. */
export function witnessOf({ config }: RouteEntry): string {
  const { UpstreamPathTemplate: template = "/", UpstreamHttpMethod: methods } = config;
  const withoutRest = template.replace(/[?&]\{\w+\}$/, "");
  return `${methods?.[0] ?? "GET"} ${fillSample(withoutRest)}`;
}

/** A template with a value in place of each placeholder. */
export function fillSample(template: string): string {
  return encodeLiteral(template.replace(placeholder, sampleValue));
}
