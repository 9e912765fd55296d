import type { GatewayContext, UpstreamResponse } from "../../delegating-handler.ts";
import type { Logger } from "../../logging/logger.ts";

/** What the naming service means by the reason phrase of an answer of its own, and what to do. */
export const namingFailures = {
  FABRIC_E_INVALID_ADDRESS:
    "The naming service cannot read the service's name, one of its parameters, or the address of the service: look at ServiceName, PartitionKind, PartitionKey, TargetReplicaSelector and Timeout, and let the service listen on http or https.",
  FABRIC_E_INVALID_PARTITION_KEY:
    "The service is partitioned: send PartitionKind and PartitionKey that fit one of its partitions.",
  E_INVALIDARG:
    "The service is stateless, and has no primary or secondary replicas: send TargetReplicaSelector=RandomInstance, or none.",
  FABRIC_E_SERVICE_DOES_NOT_EXIST:
    "There is no service of this name: compare ServiceName with the names in the cluster; capital letters count.",
  FABRIC_E_NAME_DOES_NOT_EXIST:
    "There is no application or service of this name: compare ServiceName with the names in the cluster; capital letters count.",
  FABRIC_E_PARTITION_NOT_FOUND:
    "The partition is not there any more, perhaps because the service was created anew: send the request again.",
  FABRIC_E_ENDPOINT_NOT_FOUND:
    "No listener of the service fits: look at ListenerName, and let the service listen on http, or https where the naming service takes nothing else.",
  FABRIC_E_MESSAGE_TOO_LARGE: "A message is larger than the cluster lets pass: send less at once.",
  FABRIC_E_GATEWAY_NOT_REACHABLE:
    "The naming service does not reach the cluster's own services: look at the health of the cluster.",
  FABRIC_E_SERVICE_OFFLINE:
    "The service has no replica that is ready, as it starts, moves or fails: look at its health in the cluster.",
  FABRIC_E_NOT_PRIMARY: "The service's primary replica is just moving: send the request again.",
  FABRIC_E_SERVICE_TOO_BUSY:
    "The cluster is too busy to say where the service is: look at its load, and send the request again.",
  E_ABORT: "The naming service gave up, perhaps because its node is being stopped: send the request again.",
  FABRIC_E_COMMUNICATION_ERROR:
    "The naming service lost its connection inside the cluster: look at the health of its nodes and at the network.",
  FABRIC_E_TIMEOUT:
    "The naming service tried until the time was used up: the service refused the connection or answered 404, 410 or 503 each time. If it means 404, let it send the header X-ServiceFabric: ResourceNotFound.",
  "SSL Handshake Failed": "The service's certificate is not accepted by the naming service: look at the certificate.",
  "Reverse Proxy Timeout":
    "The service took the request and did not answer in time: look at the service; Timeout, in seconds, lets the naming service wait longer.",
} as const satisfies Record<string, string>;

/** Why the naming service answered by itself: the reason phrase of its answer. */
type NamingFailure = keyof typeof namingFailures;

/** What of an exchange is noted. */
type NotedExchange = Readonly<{
  context: Pick<GatewayContext, "route">;
  observation: Readonly<{ failed: (code: string) => void }> | undefined;
}>;

/** Tells the operator in words what the naming service only hints at; the client gets the answer as it is. */
export function noteNamingFailure(
  { status, statusText }: Pick<UpstreamResponse, "status" | "statusText">,
  { context: { route }, observation }: NotedExchange,
  logger: Logger,
): void {
  if (status < 400 || route.serviceName === undefined || !isNamingFailure(statusText)) return;
  observation?.failed(statusText);
  logger.warn({ route: route.id, service: route.serviceName, status, reason: statusText }, namingFailures[statusText]);
}

function isNamingFailure(reason: string): reason is NamingFailure {
  return Object.hasOwn(namingFailures, reason);
}
