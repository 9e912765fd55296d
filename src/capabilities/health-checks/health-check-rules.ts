import type { RouteRule } from "../../config/rules/rule.ts";
import { locate } from "../../json/place.ts";

/** A check must have something to ask for. */
export const checkHealthCheck: RouteRule = function checkHealthCheck(
  { config: { HealthCheck: check }, place },
  report,
) {
  if (check === undefined || (check as Partial<typeof check>).Path !== undefined) return;
  const message = '"Path" is missing, so nobody can tell what hosts are to be asked for: write it, such as "/health"';
  report("health-path-missing", locate(place, ["HealthCheck"]), message);
};
