import type { RequestedPartition } from "./gateway-query.ts";
import type { PartitionScope, PlacedPartition } from "./place-service.ts";

/** The partition that a request asks for; undefined where kind or key fit none. */
export function choosePartition(
  partitions: readonly PlacedPartition[],
  requested: RequestedPartition,
): PlacedPartition | undefined {
  return partitions.find((partition) => isWithin(partition.scope, requested));
}

function isWithin(scope: PartitionScope, requested: RequestedPartition): boolean {
  if (scope.kind === "Named") return requested.kind === "Named" && requested.name === scope.name;
  if (scope.kind === "Singleton") return requested.kind === "Singleton";
  return requested.kind === "Int64Range" && scope.low <= requested.key && requested.key <= scope.high;
}
