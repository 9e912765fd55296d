import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createByteRoom } from "../../src/bodies/pieces/byte-room.ts";
import { paceLongLists } from "../../src/discovery/pace-long-lists.ts";
import { createSliceKeeper, type KeptSlices } from "../../src/discovery/registries/kept-slices.ts";
import { createKubernetesFinder } from "../../src/discovery/registries/kubernetes.ts";
import { createLineReader } from "../../src/discovery/registries/read-lines.ts";
import { createShareOfTime } from "../../src/asking/share-of-time.ts";
import { eventually } from "./instances.ts";
import { clientOf, service, slice, token } from "./registry-that-tells.ts";

test("a watch of Kubernetes ends where what has changed cannot be told", async () => {
  const client = await clientOf((req, res) => {
    if (String(req.url).includes("watch=true")) {
      res.write(`${JSON.stringify({ type: "MODIFIED", object: slice("10.1.0.1") })}\n`);
    } else res.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [slice("10.1.0.0")] }));
  });
  const find = createKubernetesFinder({ client, token, namespace: "shop", watches: true });
  const told: unknown[] = [];
  const finding = find(service, take, new AbortController().signal);
  await expect(finding).rejects.toThrow("Nobody takes it.");
  expect(told).toHaveLength(2);

  function take(instances: unknown): void {
    told.push(instances);
    if (told.length === 2) throw new Error("Nobody takes it.");
  }
});

test("Kubernetes is not watched from a version of any length", async () => {
  const client = await clientOf((_req, res) => {
    res.end(JSON.stringify({ metadata: { resourceVersion: "9".repeat(257) }, items: [slice("10.1.0.0")] }));
  });
  const find = createKubernetesFinder({ client, token, namespace: "shop", watches: true });
  const finding = find(service, () => undefined, new AbortController().signal);
  await expect(finding).rejects.toThrow("resourceVersion of 257 characters; expected 256 at most");
});

test("Kubernetes is not watched for a service that nobody needs any more", async () => {
  const asked: string[] = [];
  const client = await clientOf((req, res) => {
    asked.push(String(req.url));
    res.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [slice("10.1.0.0")] }));
  });
  const find = createKubernetesFinder({ client, token, namespace: "shop", watches: true });
  const leaving = new AbortController();
  await expect(find(service, () => leaving.abort(), leaving.signal)).rejects.toThrow("aborted");
  expect(asked).toEqual([expect.not.stringContaining("watch=true")]);
});

test("lines that have begun have a room together, in bytes, and those that have ended or that nobody needs are not in it", () => {
  const room = createByteRoom(100);
  const bounds = { mostBytes: 100, room, noRoom: () => new Error("no room"), tooLong: () => new Error("too long") };
  const [one, two] = [createLineReader(bounds), createLineReader(bounds)];
  one.add(Buffer.from("€".repeat(30)));
  expect(one.next()).toBeUndefined();
  expect(() => two.add(Buffer.from("€".repeat(4)))).toThrow("no room");
  expect(room.has(11)).toBe(false);
  one.end();
  two.add(Buffer.from(`${"€".repeat(30)}\nab`));
  expect([two.next(), two.next()]).toEqual(["€".repeat(30), undefined]);
  expect(room.has(98)).toBe(true);
  two.add(Buffer.from("\n"));
  expect([two.next(), two.next()]).toEqual(["ab", undefined]);
  expect(room.has(100)).toBe(true);
});

test.each([
  ["[1,", "It is not valid JSON."],
  [`[${"1,".repeat(50_000)}1]`, "more than 50000 members"],
  ["[".repeat(201) + "]".repeat(201), "deeper than 200 levels"],
])("a registry that answers what cannot be read fails: %#", async (text, reason) => {
  const client = await clientOf((_req, res) => res.end(text));
  const { signal } = new AbortController();
  await expect(client.ask({ path: "/", within: 10_000, signal })).rejects.toThrow(reason);
});

test("answers of which only the head has come keep no other from being read", async () => {
  const client = await clientOf((req, res) => {
    if (req.url === "/late") res.writeHead(200).flushHeaders();
    else res.end("[]");
  });
  const end = new AbortController();
  const ask = (path: string): Promise<unknown> => client.ask({ path, within: 10_000, signal: end.signal });
  const late = Array.from({ length: 8 }, () => ask("/late").catch(() => "ended"));
  expect(await ask("/now")).toMatchObject({ json: [] });
  end.abort();
  expect(new Set(await Promise.all(late))).toEqual(new Set(["ended"]));
});

test("while routes work at their lists, of the long lists that are told the newest is taken later, short ones at once", async () => {
  const share = createShareOfTime();
  const heard: unknown[] = [];
  let isFirst = true;
  const { told, failed } = paceLongLists({
    take: (instances) => heard.push(instances.length),
    works: () => heard.push("works"),
    failed: () => heard.push("failed"),
    isUsable: () => !isFirst,
    ...{ share, signal: new AbortController().signal },
  });
  const listOf = (count: number): readonly object[] => Array<object>(count).fill({});
  share.note(50);
  told(listOf(101));
  expect(heard.splice(0)).toEqual([101, "works"]);
  isFirst = false;
  told(listOf(102));
  told(listOf(103));
  failed(new Error("The registry is away."));
  expect(heard.splice(0)).toEqual(["failed"]);
  await eventually(
    () => heard.length,
    (length) => length > 0,
  );
  // What has failed since it was told is still to work again.
  expect(heard.splice(0)).toEqual([103]);
  share.note(50);
  told(listOf(104));
  told(listOf(100));
  await share.wait(new AbortController().signal);
  await nextTurn();
  expect(heard).toEqual([100, "works"]);
});

test("EndpointSlices of all services have a bound together, and those that nobody needs do not count", () => {
  const keepSlices = createSliceKeeper();
  const full = 8 * 1024 * 1024;
  const kept = Array.from({ length: 16 }, () => {
    const slices = keepSlices();
    slices.set({ metadata: { name: "one" } }, full);
    return slices;
  });
  expect(() => keepSlices().set({ metadata: { name: "one" } }, 1)).toThrow("of all services that have more than");
  kept[0]!.end();
  kept[1]!.set({ metadata: { name: "one" } }, 1_000);
  keepSlices().set({ metadata: { name: "one" } }, full);
});

test("of EndpointSlices only the changed one is read, and what is kept of one counts where it is more than its text", () => {
  const keepSlices = createSliceKeeper();
  let read = 0;
  const large = (name: string, endpoints: readonly object[]): Parameters<KeptSlices["set"]>[0] => ({
    ...{ metadata: { name }, addressType: "IPv4", ports: [{ port: 80 }] },
    get endpoints() {
      read += 1;
      return endpoints;
    },
  });
  const slices = keepSlices();
  for (const name of ["one", "two"]) {
    slices.set(large(name, Array<object>(6_000).fill({ addresses: ["10.0.0.1"] })), 1);
  }
  slices.set(slice("10.0.0.2") as never, 1);
  expect(slices.instances()).toHaveLength(6_001);
  slices.set({ ...slice("10.0.0.3"), metadata: { name: "three" } }, 1);
  // No more than count, and one.
  expect(slices.instances()).toHaveLength(6_002);
  slices.set(large("one", Array<object>(12_000).fill({ addresses: ["10.0.0.1"] })), 1);
  expect(slices.instances()).toHaveLength(10_001);
  expect(read).toBe(3);
  const empty = Array<object>(49_000).fill({});
  const keepMany = (): void => {
    for (let index = 0; index < 10; index += 1) slices.set(large(`empty-${index}`, empty), 3 * empty.length);
  };
  expect(keepMany).toThrow("of a service that have more than");
});
