import { chooseEndpoint } from "./choose-endpoint.ts";
import { choosePartition } from "./choose-partition.ts";
import { chooseReplica } from "./choose-replica.ts";
import type { GatewayQuery } from "./gateway-query.ts";
import type { Refusal } from "./reasons.ts";
import { nameFromParameter, nameFromPath } from "./service-name.ts";
import type { FoundService, ServiceTable } from "./service-table.ts";
import { makeTarget, type Target } from "./target.ts";

/** A received request, as far as it decides where it goes. */
export type Asked = Readonly<{ path: string; query: GatewayQuery }>;

/** Finds the service of a request: the `ServiceName` parameter counts before the path. */
export function findService(services: ServiceTable, asked: Asked): FoundService | Refusal {
  const { serviceName } = asked.query;
  const name = serviceName === "" ? nameFromPath(asked.path) : nameFromParameter(serviceName);
  if (name === undefined) return { refused: "FABRIC_E_INVALID_ADDRESS" };
  return services.findLongest(name) ?? { refused: "FABRIC_E_SERVICE_DOES_NOT_EXIST" };
}

/** Finds where in a service a request goes: partition, replica, listener. */
export function findTarget(service: FoundService, asked: Asked, secureOnly: boolean): Target | Refusal {
  const { partition: requested, selector, listenerName, forwarded } = asked.query;
  const partition = choosePartition(service.partitions, requested);
  if (partition === undefined) return { refused: "FABRIC_E_INVALID_PARTITION_KEY" };
  const replica = chooseReplica(partition.replicas, selector);
  if ("refused" in replica) return replica;
  const endpoint = chooseEndpoint(replica.address, { name: listenerName, secureOnly });
  if (endpoint === undefined) return { refused: "FABRIC_E_ENDPOINT_NOT_FOUND" };
  const target = makeTarget(endpoint, service.name, { path: asked.path, query: forwarded });
  return target ?? { refused: "FABRIC_E_INVALID_ADDRESS" };
}
