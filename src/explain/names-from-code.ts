import { ownBalancerOf } from "../discovery/balancer-of.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GlobalConfig } from "../config/sections.ts";
import { entriesOf, type Entry } from "./entries.ts";

/** An option of `createGateway()`, and the names that a configuration asks of it: without one of them no gateway starts. */
export type NamesFromCode = Readonly<{ option: string; names: readonly string[] }>;

type NamesOf = (entry: Entry, global: GlobalConfig) => readonly (string | undefined)[];

/** The names that only code can supply, by option; of schemes and providers, which a file can describe, a check warns. */
const options: Readonly<Record<string, NamesOf>> = {
  namedHandlers: ({ config }) => config.DelegatingHandlers ?? [],
  balancers: ({ config, aggregate }, global) => (aggregate === undefined ? [ownBalancerOf(config, global)] : []),
  aggregators: ({ aggregate }) => [aggregate?.written.Aggregator],
};

/** What has to be supplied in code for a configuration to start. */
export function namesFromCode(config: GatewayConfig): readonly NamesFromCode[] {
  const global = globalConfigOf(config)!;
  return Object.entries(options).flatMap(([option, namesOf]) => {
    const asked = entriesOf(config).flatMap((entry) => namesOf(entry, global));
    const names = [...new Set(asked)].filter((name) => name !== undefined);
    return names.length === 0 ? [] : [{ option, names }];
  });
}
