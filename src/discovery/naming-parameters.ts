/** The parameters that the naming service reads and a client may send. */
export const namingParameters = [
  "PartitionKind",
  "PartitionKey",
  "ListenerName",
  "TargetReplicaSelector",
  "Timeout",
] as const;

const names: ReadonlySet<string> = new Set(namingParameters);

/** Whether a parameter is one that the naming service reads; it compares names exactly. */
export function isNamingParameter(name: string): boolean {
  return names.has(name);
}
