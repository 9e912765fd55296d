import { parseInt64 } from "./int64.ts";
import type { Partition, RangeEnd, ReplicaAddress, Service } from "./service.ts";

/** The replicas of one partition, addresses as text. */
export type ReplicaSet =
  | Readonly<{ isStateful: false; instances: readonly string[] }>
  | Readonly<{ isStateful: true; primary: string | undefined; secondaries: readonly string[] }>;

/** What a requested partition is compared with. */
export type PartitionScope =
  | Readonly<{ kind: "Singleton" }>
  | Readonly<{ kind: "Named"; name: string }>
  | Readonly<{ kind: "Int64Range"; low: bigint; high: bigint }>;

/** A partition where requests can be sent. */
export type PlacedPartition = Readonly<{ scope: PartitionScope; replicas: ReplicaSet }>;

const oneKindOnly = "all partitions of a service have the same kind";

/** Brings a service into the one form that requests are resolved with; throws when it cannot be such a service. */
export function placeService(name: string, service: Service): readonly PlacedPartition[] {
  if (service.kind === "guest") return [statelessPartition([service.address])];
  if (service.kind === "stateless") return [statelessPartition(service.instances)];
  // Plain JavaScript can bring anything.
  if ((service as { kind: unknown }).kind !== "stateful") {
    throw invalid(name, `expected kind "stateless", "stateful" or "guest", received ${JSON.stringify(service)}`);
  }
  const kinds = new Set(service.partitions.map((partition) => partition.kind));
  if (kinds.size !== 1) throw invalid(name, `${oneKindOnly}, received ${JSON.stringify([...kinds])}`);
  if (kinds.has("Singleton") && service.partitions.length > 1) {
    throw invalid(name, `a Singleton service has one partition, received ${service.partitions.length}`);
  }
  return service.partitions.map((partition) => placePartition(name, partition));
}

function statelessPartition(instances: readonly ReplicaAddress[]): PlacedPartition {
  return { scope: { kind: "Singleton" }, replicas: { isStateful: false, instances: instances.map(toAddressText) } };
}

function placePartition(name: string, partition: Partition): PlacedPartition {
  const { primary, secondaries = [] } = partition;
  return {
    scope: toScope(name, partition),
    replicas: {
      isStateful: true,
      primary: primary === undefined ? undefined : toAddressText(primary),
      secondaries: secondaries.map(toAddressText),
    },
  };
}

function toScope(name: string, partition: Partition): PartitionScope {
  if (partition.kind === "Singleton") return { kind: "Singleton" };
  if (partition.kind === "Named") return { kind: "Named", name: partition.name };
  if ((partition as { kind: unknown }).kind !== "Int64Range") {
    const received = JSON.stringify((partition as { kind: unknown }).kind);
    throw invalid(name, `expected a partition of kind "Singleton", "Named" or "Int64Range", received ${received}`);
  }
  const low = toRangeEnd(name, partition.low);
  const high = toRangeEnd(name, partition.high);
  if (low > high) throw invalid(name, `the low key of a partition is at most its high key, received ${low} to ${high}`);
  return { kind: "Int64Range", low, high };
}

function toRangeEnd(name: string, end: RangeEnd): bigint {
  const value = parseInt64(String(end));
  if (value === undefined || (typeof end === "number" && !Number.isSafeInteger(end))) {
    const received = JSON.stringify(String(end));
    throw invalid(name, `expected a 64-bit integer as range key (as text beyond 2^53), received ${received}`);
  }
  return value;
}

function toAddressText(address: ReplicaAddress): string {
  return typeof address === "string" ? address : JSON.stringify({ Endpoints: address });
}

function invalid(name: string, problem: string): TypeError {
  return new TypeError(`Invalid service ${JSON.stringify(name)}: ${problem}`);
}
