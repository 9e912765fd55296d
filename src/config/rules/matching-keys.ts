import { quote } from "../../json/json-node.ts";
import { takesEveryPath } from "../../routing/matching-order.ts";
import { locate } from "../../json/place.ts";
import type { RouteRule } from "./rule.ts";

const impossibleInHost = /[^!-~]|[/?#@{}\\]/;

/** Warns of a `Priority` that has no effect, as its route takes every path. */
export const warnOfPriority: RouteRule = function warnOfPriority({ config, place }, report) {
  if (!takesEveryPath(config.UpstreamPathTemplate ?? "") || [undefined, 0, 1].includes(config.Priority)) return;
  const reason = `${quote(config.UpstreamPathTemplate!)} takes every path and always has priority 0`;
  report("priority-ignored", locate(place, ["Priority"]), `Priority ${config.Priority} has no effect: ${reason}`);
};

/** Warns of an `UpstreamHost` that no request can carry. */
export const warnOfUpstreamHost: RouteRule = function warnOfUpstreamHost({ config, place }, report) {
  const host = config.UpstreamHost;
  if (host === undefined || !impossibleInHost.test(host)) return;
  const expected = "expected a host such as api.example.org, or one with its port";
  report(
    "host-never-matches",
    locate(place, ["UpstreamHost"]),
    `no request has this host: ${expected}, found ${quote(host)}`,
  );
};
