/** Where a replica listens: a URL, used as it is; listener names with their URLs; or the JSON text of such an address. */
export type ReplicaAddress = string | Readonly<Record<string, string>>;

/** The replicas of a stateful partition; without a primary it answers nobody until it has one. */
export type PartitionReplicas = Readonly<{
  primary?: ReplicaAddress | undefined;
  secondaries?: readonly ReplicaAddress[] | undefined;
}>;

/** One end of an Int64Range, both ends inclusive; text where a number would lose digits. */
export type RangeEnd = string | number | bigint;

/** A partition of a stateful service. */
export type Partition =
  | (PartitionReplicas & Readonly<{ kind: "Singleton" }>)
  | (PartitionReplicas & Readonly<{ kind: "Named"; name: string }>)
  | (PartitionReplicas & Readonly<{ kind: "Int64Range"; low: RangeEnd; high: RangeEnd }>);

/** A service as the table of the simulator lists it; each address belongs to a server of the user's. */
export type Service =
  | Readonly<{ kind: "stateless"; instances: readonly ReplicaAddress[] }>
  | Readonly<{ kind: "stateful"; partitions: readonly Partition[] }>
  /** A program that knows nothing of the naming service; its address is a plain URL. */
  | Readonly<{ kind: "guest"; address: string }>;
