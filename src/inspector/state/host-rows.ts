import { allRoutesOf } from "../../compiling/all-routes.ts";
import { type CompiledConfiguration } from "../../compiling/compiled-configuration.ts";
import type { CompiledRoute } from "../../compiling/compiled-route.ts";
import { instancesOf } from "../../compiling/compile-way.ts";
import { knownHostsOf } from "../../compiling/known-hosts.ts";
import { fileOfRoute, globalConfigOf } from "../../config/gateway-config.ts";
import type { GlobalConfig } from "../../config/sections.ts";
import { describeService } from "../../discovery/provider-of.ts";
import { type HostCondition, conditionOf } from "../../hosts/host-condition.ts";
import type { Instance, RouteHost } from "../../hosts/host.ts";
import { originOf } from "../../hosts/host-origin.ts";
import { balancerOf } from "../../discovery/balancer-of.ts";
import { stickinessOf } from "../../capabilities/load-balancing/sticky-settings.ts";
import { maskValues } from "../../secrets/redact.ts";
import { shownRouteId } from "../../secrets/shown-route.ts";
import { variableSecretsOf } from "../../secrets/variable-secrets.ts";
import type { Steps } from "../../time-slices.ts";
import { mostRows } from "./most-rows.ts";

/** A host of a route as the page shows it. */
export type HostRow = Readonly<{
  route: string;
  host: string;
  weight: number;
  /** Requests of the route that it has. */
  running: number;
  state: HostCondition;
  /** Milliseconds until an open circuit breaker lets a request try. */
  wait: number;
  /** Which of its states are watched at all. */
  watchedBy: readonly ("circuit breaker" | "health checks")[];
  /** A registry with the service, a file of several, or the configuration. */
  from: string;
  balancer: string;
  /** Whether clients stay at their hosts. */
  isSticky: boolean;
}>;

/** Of many hosts the first ones, those in trouble before all others, and how many there are. */
export type HostRows = Readonly<{ rows: readonly HostRow[]; all: number }>;

/** The hosts of all routes, those of services that clients have named as well; in steps, as there may be ten thousand. */
export function* listHostRows(present: CompiledConfiguration): Steps<HostRows> {
  const { config } = present;
  const global = globalConfigOf(config)!;
  const secrets = variableSecretsOf(config);
  const troubled: HostRow[] = [];
  const others: HostRow[] = [];
  let all = 0;
  for (const route of allRoutesOf(present)) {
    yield;
    for (const { state, describe } of hostsOf(route, global, secrets)) {
      yield;
      all += 1;
      const rows = state === "up" ? others : troubled;
      if (rows.length < mostRows) rows.push(describe());
    }
  }
  return { rows: [...troubled, ...others].slice(0, mostRows), all };
}

/** A host of which only its state is known until it is to be shown. */
type HostToShow = Pick<HostRow, "state"> & Readonly<{ describe: () => HostRow }>;

function* hostsOf(compiled: CompiledRoute, global: GlobalConfig, secrets: readonly string[]): Generator<HostToShow> {
  if (compiled.aggregate !== undefined) return;
  const { route, load } = compiled;
  const { config } = route;
  const common = {
    route: shownRouteId(route),
    from: maskValues(describeService(config, global) ?? fileOfRoute(config) ?? "the configuration", secrets),
    balancer: maskValues(balancerOf(config, global), secrets),
    isSticky: stickinessOf(config, global) !== undefined,
  };
  const known = knownHostsOf(compiled);
  for (const host of known) {
    yield { state: conditionOf(host), describe: () => ({ ...common, ...describeHost(host, secrets) }) };
  }
  for (const instance of known.length > 0 ? [] : instancesOf(config, global)) {
    yield { state: nothingKnown.state, describe: () => ({ ...common, ...describeUnknown(instance) }) };
  }

  function describeUnknown(instance: Instance): Omit<HostRow, keyof typeof common> {
    const host = maskValues(originOf(instance), secrets);
    return { ...nothingKnown, host, weight: instance.weight ?? 1, running: load.running };
  }
}

const nothingKnown = { state: "up", wait: 0, watchedBy: [] } as const;

function describeHost(
  host: RouteHost,
  secrets: readonly string[],
): Omit<HostRow, "route" | "from" | "balancer" | "isSticky"> {
  const { origin, weight, inFlight: running, breaker, health } = host;
  return {
    host: maskValues(origin, secrets),
    weight,
    running,
    state: conditionOf(host),
    wait: breaker?.wait() ?? 0,
    watchedBy: [
      ...(breaker === undefined ? [] : (["circuit breaker"] as const)),
      ...(health === undefined ? [] : (["health checks"] as const)),
    ],
  };
}
