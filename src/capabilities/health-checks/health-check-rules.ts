import type { RouteRule } from "../../config/rules/rule.ts";
import { isUnwritten, locate } from "../../json/place.ts";

/** A check must have something to ask for. */
export const checkHealthCheck: RouteRule = function checkHealthCheck(
  { config: { HealthCheck: check }, place },
  report,
) {
  if (check === undefined || (check as Partial<typeof check>).Path !== undefined) return;
  const written = locate(place, ["HealthCheck"]);
  // What could not be read was reported when it was read.
  if (!isUnwritten(written, "Path")) return;
  const message = '"Path" is missing, so nobody can tell what hosts are to be asked for: write it, such as "/health"';
  report("health-path-missing", written, message);
};
