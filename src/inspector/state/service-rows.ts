import type { Live } from "../../compiling/live.ts";
import type { WatchedService } from "../../discovery/watched-service.ts";
import { labelOf } from "../../discovery/service.ts";
import { originOf } from "../../hosts/host-origin.ts";
import { maskValues } from "../../secrets/redact.ts";
import { variableSecretsOf } from "../../secrets/variable-secrets.ts";
import { mostRows } from "./most-rows.ts";

/** A service that a registry is asked for, as the page shows it. */
export type ServiceRow = Readonly<{
  service: string;
  registry: string;
  /** Of many instances the first ones. */
  instances: readonly string[];
  count: number;
  /** Milliseconds since the registry told the list; undefined where it has not yet. */
  age: number | undefined;
  /** Whether the registry tells nothing new at the moment. */
  isFailing: boolean;
}>;

const mostInstances = 20;

/** The services that are looked for, with what was told of them last. */
export function listServiceRows({ mechanisms, present }: Pick<Live, "mechanisms" | "present">): readonly ServiceRow[] {
  const secrets = variableSecretsOf(present.config);
  return mechanisms.discovery
    .watched()
    .slice(0, mostRows)
    .map((watched) => describeService(watched, (text) => maskValues(text, secrets)));
}

function describeService(
  { service, provider, present, age, isFailing }: WatchedService,
  mask: (text: string) => string,
): ServiceRow {
  return {
    service: mask(labelOf(service)),
    registry: mask(provider.name),
    instances: present.slice(0, mostInstances).map((instance) => mask(originOf(instance))),
    count: present.length,
    age: age(),
    isFailing: isFailing(),
  };
}
