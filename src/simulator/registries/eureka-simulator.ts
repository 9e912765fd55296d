import {
  type Asked,
  createRegistryServer,
  type RegistryServerOptions,
  type RegistrySwitches,
  type Reply,
} from "./registry-server.ts";

/** An instance of an application as Eureka knows it. */
export type EurekaInstance = Readonly<{
  hostName: string;
  port: number;
  /** Only where it is enabled. */
  securePort?: number | undefined;
  /** Default `UP`. */
  status?: "UP" | "DOWN" | "STARTING" | "OUT_OF_SERVICE" | "UNKNOWN" | undefined;
}>;

/** A Eureka on this machine, as far as finding services goes. */
export type EurekaSimulator = RegistrySwitches &
  Readonly<{ setInstances: (application: string, instances: readonly EurekaInstance[]) => void }>;

/** Options of {@link createEurekaSimulator}. */
export type EurekaSimulatorOptions = RegistryServerOptions &
  Readonly<{ applications?: Readonly<Record<string, readonly EurekaInstance[]>> | undefined }>;

/** Makes a Eureka that answers `/eureka/apps/<APP>`. */
export function createEurekaSimulator(options: EurekaSimulatorOptions = {}): EurekaSimulator {
  const applications = new Map<string, readonly EurekaInstance[]>();
  for (const [name, instances] of Object.entries(options.applications ?? {})) setInstances(name, instances);
  return { ...createRegistryServer(options, answer), setInstances };

  function setInstances(application: string, instances: readonly EurekaInstance[]): void {
    applications.set(application.toUpperCase(), instances);
  }

  function answer({ url }: Asked, reply: Reply): void {
    const name = /^\/eureka\/apps\/([^/]+)$/.exec(url.pathname)?.[1]?.toUpperCase();
    const instances = name === undefined ? undefined : applications.get(name);
    if (instances === undefined || instances.length === 0) reply({}, {}, 404);
    else reply({ application: { name, instance: instances.map(toEntry) } });
  }
}

function toEntry({ hostName, port, securePort, status = "UP" }: EurekaInstance): object {
  return {
    hostName,
    ipAddr: hostName,
    status,
    overriddenStatus: "UNKNOWN",
    port: { $: port, "@enabled": "true" },
    securePort: { $: securePort ?? 443, "@enabled": String(securePort !== undefined) },
  };
}
