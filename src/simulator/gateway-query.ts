import { parseInt64 } from "./int64.ts";

/** Which replica a request asks for. */
export type Selector = "primary" | "secondary" | "any";

/** Which partition a request asks for. */
export type RequestedPartition =
  | Readonly<{ kind: "Singleton" }>
  | Readonly<{ kind: "Named"; name: string }>
  | Readonly<{ kind: "Int64Range"; key: bigint }>;

/** What a query says to the naming service, and what of it goes on to the service. */
export type GatewayQuery = Readonly<{
  forwarded: string;
  partition: RequestedPartition;
  selector: Selector;
  listenerName: string;
  serviceName: string;
  /** Zero stands for the default. */
  timeoutSeconds: number;
}>;

// Three names for one thing: the primary of a stateful service, any instance of a stateless one.
const selectors: ReadonlyMap<string, Selector> = new Map([
  ["Default", "primary"],
  ["PrimaryReplica", "primary"],
  ["RandomInstance", "primary"],
  ["RandomSecondaryReplica", "secondary"],
  ["RandomReplica", "any"],
]);

const partitionReaders: ReadonlyMap<string, (key: string) => RequestedPartition | undefined> = new Map([
  ["", () => ({ kind: "Singleton" })],
  ["Singleton", () => ({ kind: "Singleton" })],
  ["Named", (name) => ({ kind: "Named", name })],
  ["Int64Range", readInt64Key],
]);

const removed: ReadonlySet<string> = new Set([
  "PartitionKey",
  "PartitionKind",
  "ListenerName",
  "TargetReplicaSelector",
  "ServiceName",
]);

// Judged at every occurrence, although the last one wins.
const isWellFormed: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["TargetReplicaSelector", (value) => selectors.has(value)],
  ["Timeout", (value) => parseInt64(value) !== undefined],
]);

/** Reads a raw query; undefined when one of the naming service's own parameters is ill-formed. */
export function readGatewayQuery(query: string): GatewayQuery | undefined {
  const values = new Map<string, string>();
  const forwarded: string[] = [];
  for (const parameter of query.split("&")) {
    const [name, value] = splitAtFirst(parameter, "=");
    if (isWellFormed.get(name)?.(value) === false) return undefined;
    values.set(name, value);
    if (!removed.has(name)) forwarded.push(parameter);
  }
  const partition = partitionReaders.get(values.get("PartitionKind") ?? "")?.(values.get("PartitionKey") ?? "");
  if (partition === undefined) return undefined;
  return {
    forwarded: forwarded.join("&"),
    partition,
    selector: selectors.get(values.get("TargetReplicaSelector") ?? "Default")!,
    listenerName: values.get("ListenerName") ?? "",
    serviceName: values.get("ServiceName") ?? "",
    timeoutSeconds: Number(parseInt64(values.get("Timeout") ?? "0")),
  };
}

/** Text before and after the first separator; all of it is before when there is none. */
export function splitAtFirst(text: string, separator: string): [string, string] {
  const found = text.indexOf(separator);
  return found === -1 ? [text, ""] : [text.slice(0, found), text.slice(found + separator.length)];
}

function readInt64Key(text: string): RequestedPartition | undefined {
  const key = parseInt64(text);
  return key === undefined ? undefined : { kind: "Int64Range", key };
}
