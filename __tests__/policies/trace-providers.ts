import { applyEdits, modify, parse } from "jsonc-parser";
import type { GatewayOptions } from "../../src/index.ts";
import type { TraceInstance, TraceSetup, TraceTable } from "./trace.ts";
import { fillTexts, type TraceValues } from "./trace-values.ts";

/** The table of services that the recorded host had, as a provider of ours. */
export function toFinders({ discovery }: TraceSetup, values: TraceValues): NonNullable<GatewayOptions["discovery"]> {
  if (discovery === undefined) return {};
  const { type, services } = readTable(discovery);
  return {
    async [type](service, update) {
      const label = service.namespace === undefined ? service.name : `${service.namespace}.${service.name}`;
      const instances = fillTexts(services.get(label) ?? [], values);
      update(instances.map((instance) => ({ ...instance, port: Number(instance.port) })));
    },
  };
}

type Table = Readonly<{ type: string; services: ReadonlyMap<string, readonly TraceInstance[]> }>;

/** Some areas name the downstream alone. */
function readTable(discovery: NonNullable<TraceSetup["discovery"]>): Table {
  if (isWhole(discovery)) return { type: discovery.type, services: new Map(Object.entries(discovery.services)) };
  const instances = Object.entries(discovery).map(([service, name]) => {
    return [service, [{ host: "127.0.0.1", port: `{{${name}}}`, scheme: "http" }]] as const;
  });
  return { type: "FixedServices", services: new Map(instances) };
}

function isWhole(discovery: NonNullable<TraceSetup["discovery"]>): discovery is TraceTable {
  return typeof discovery.services === "object";
}

/**
 * The configuration with what the recorded host did by itself: clients reached any service of its registry, and the host
 * of an instance in Consul was the name of its node.
 */
export function withUsualProvider(config: string, { discovery, consul, kube }: TraceSetup): string {
  if ((discovery ?? consul ?? kube) === undefined || !hasProvider(config)) return config;
  const open = applyEdits(config, modify(config, [...providerPath, "AllowAnyService"], true, {}));
  if (consul !== true) return open;
  return applyEdits(open, modify(open, [...providerPath, "UseNodeName"], true, {}));
}

const providerPath = ["GlobalConfiguration", "ServiceDiscoveryProvider"] as const;

function hasProvider(config: string): boolean {
  const { GlobalConfiguration: global } = parse(config) as Readonly<{
    GlobalConfiguration?: Readonly<{ ServiceDiscoveryProvider?: object | null }>;
  }>;
  return (global?.ServiceDiscoveryProvider ?? null) !== null;
}
