import { afterEach, expect, test } from "@jest/globals";
import type { Partition, Service, Timeouts } from "../../src/simulator/index.ts";
import { ask, closeAll, startReplica, startSimulator } from "./network.ts";

afterEach(closeAll);

const lowest = "-9223372036854775808";
const highest = "9223372036854775807";

async function startCluster(timeouts?: Partial<Timeouts>) {
  const { url } = await startReplica("all", (req, res) => res.end(req.url?.split("/")[1]));
  const services: Record<string, Service> = {
    "App/Ranges": {
      kind: "stateful",
      partitions: [
        { kind: "Int64Range", low: lowest, high: -1, primary: `${url}/negative` },
        { kind: "Int64Range", low: 0n, high: 9, primary: `${url}/digit` },
        { kind: "Int64Range", low: "11", high: highest, primary: `${url}/large` },
      ],
    },
    "App/Names": {
      kind: "stateful",
      partitions: [
        { kind: "Named", name: "east", primary: `${url}/east` },
        { kind: "Named", name: "a%20b", primary: `${url}/blank` },
        { kind: "Named", name: "", primary: `${url}/unnamed` },
      ],
    },
    "App/One": {
      kind: "stateful",
      partitions: [{ kind: "Singleton", primary: `${url}/primary`, secondaries: [`${url}/second`, `${url}/third`] }],
    },
    "App/Headless": { kind: "stateful", partitions: [{ kind: "Singleton", secondaries: [`${url}/second`] }] },
    "App/Api": { kind: "stateless", instances: [`${url}/first`, `${url}/second`] },
    "App/Empty": { kind: "stateless", instances: [] },
  };
  return startSimulator({ services, timeouts });
}

const range = (key: string) => `/App/Ranges?PartitionKind=Int64Range&PartitionKey=${key}`;

test.each([
  [range(lowest), "negative", "the lowest key is inside"],
  [range("-1"), "negative", "the high key is inside"],
  [range("0"), "digit", "the low key is inside"],
  [range("+9"), "digit", "a sign is fine"],
  [range("0011"), "large", "so are leading zeros"],
  [range(highest), "large", "the highest key is inside"],
  [`${range("0")}&PartitionKey=11`, "large", "the last key wins"],
  ["/App/Names?PartitionKind=Named&PartitionKey=east", "east", "a name"],
  ["/App/Names?PartitionKind=Named&PartitionKey=a%20b", "blank", "names are compared undecoded"],
  ["/App/Names?PartitionKind=Named", "unnamed", "no key is the empty name"],
  ["/App/One", "primary", "a singleton needs no key"],
  ["/App/One?PartitionKind=Singleton", "primary", "but takes its kind"],
  ["/App/One?PartitionKind=&PartitionKey=3", "primary", "without a kind a key has no effect"],
  ["/App/One?TargetReplicaSelector=Default", "primary", "the default is the primary"],
  ["/App/One?TargetReplicaSelector=PrimaryReplica", "primary", "asked for by name"],
  ["/App/One?TargetReplicaSelector=RandomInstance", "primary", "RandomInstance is the same selector"],
])("%s reaches %s: %s", async (target, replica) => {
  const { port } = await startCluster();
  expect(await ask(port, target)).toMatchObject({ status: 200, body: replica });
});

test.each([
  ["/App/Ranges", "a partitioned service without a key"],
  [range("10"), "a key that no range holds"],
  ["/App/Ranges?PartitionKey=0", "a key without a kind"],
  ["/App/Ranges?PartitionKind=Named&PartitionKey=0", "the wrong kind"],
  ["/App/Names?PartitionKind=Named&PartitionKey=East", "a name in the wrong case"],
  ["/App/Names?PartitionKind=Named&PartitionKey=a+b", "a name in another escape"],
  ["/App/Names?PartitionKind=Int64Range&PartitionKey=0", "the wrong kind again"],
  ["/App/One?PartitionKind=Named&PartitionKey=x", "a key for a singleton"],
])("%s is 400 FABRIC_E_INVALID_PARTITION_KEY: %s", async (target) => {
  const { port } = await startCluster();
  const refused = { status: 400, reason: "FABRIC_E_INVALID_PARTITION_KEY", body: "" };
  expect(await ask(port, target)).toMatchObject(refused);
});

test.each([
  ["/App/One?TargetReplicaSelector=RandomSecondaryReplica", ["second", "third"], "every secondary, never the primary"],
  ["/App/One?TargetReplicaSelector=RandomReplica", ["primary", "second", "third"], "every replica"],
  ["/App/Headless?TargetReplicaSelector=RandomReplica", ["second"], "whatever is there"],
  ["/App/Api", ["first", "second"], "every instance"],
  ["/App/Api?TargetReplicaSelector=PrimaryReplica", ["first", "second"], "the same selector as RandomInstance"],
])("%s reaches, by and by, %j: %s", async (target, replicas) => {
  const { port } = await startCluster();
  const reached = new Set<string | undefined>();
  // One replica of three stays unseen in 100 tries about once in 10^17 runs.
  for (let count = 0; count < 100; count += 1) reached.add((await ask(port, target))?.body);
  expect([...reached].sort()).toEqual(replicas);
});

test.each([
  ["/App/Headless", "no primary"],
  ["/App/Empty", "no instance"],
])("%s is tried until the time is used up: %s", async (target) => {
  const { port, requests } = await startCluster({ request: 0.1 });
  expect(await ask(port, target)).toMatchObject({ status: 504, reason: "FABRIC_E_TIMEOUT", body: "" });
  expect(requests()).toMatchObject([{ attempts: [] }]);
});

test("no secondary is retried, and found when there is one", async () => {
  const { url } = await startReplica("secondary");
  const partition: Partition = { kind: "Singleton", primary: url };
  const { port, addService } = await startSimulator({ services: { S: { kind: "stateful", partitions: [partition] } } });
  const answer = ask(port, "/S?TargetReplicaSelector=RandomSecondaryReplica");
  addService("S", { kind: "stateful", partitions: [{ ...partition, secondaries: [url] }] });
  expect(await answer).toMatchObject({ status: 200, body: "secondary" });
});
