import "../refuse-old-node.ts";

export { createNamingSimulator } from "./create-naming-simulator.ts";
export type { NamingSimulator, NamingSimulatorOptions } from "./create-naming-simulator.ts";
export type { Fault } from "./faults.ts";
export type { Reason } from "./reasons.ts";
export type { Attempt, ReceivedRequest } from "./received-requests.ts";
export type { Partition, PartitionReplicas, RangeEnd, ReplicaAddress, Service } from "./service.ts";
export type { Timeouts } from "./timeouts.ts";
export { createConsulSimulator } from "./registries/consul-simulator.ts";
export type { ConsulInstance, ConsulSimulator, ConsulSimulatorOptions } from "./registries/consul-simulator.ts";
export { createEurekaSimulator } from "./registries/eureka-simulator.ts";
export type { EurekaInstance, EurekaSimulator, EurekaSimulatorOptions } from "./registries/eureka-simulator.ts";
export { createKubernetesSimulator } from "./registries/kubernetes-simulator.ts";
export type {
  KubernetesEndpoints,
  KubernetesSimulator,
  KubernetesSimulatorOptions,
} from "./registries/kubernetes-simulator.ts";
export type {
  RegistryFault,
  RegistryRequest,
  RegistryServerOptions,
  RegistrySwitches,
} from "./registries/registry-server.ts";
