import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { createByteRoom } from "../../src/bodies/byte-room.ts";
import { paceLongLists } from "../../src/discovery/pace-long-lists.ts";
import { createConsulFinder } from "../../src/discovery/registries/consul.ts";
import { createSliceKeeper, type KeptSlices } from "../../src/discovery/registries/kept-slices.ts";
import { createKubernetesFinder } from "../../src/discovery/registries/kubernetes.ts";
import { createLineReader } from "../../src/discovery/registries/read-lines.ts";
import { createRegistryClient, type RegistryClient } from "../../src/discovery/registries/registry-client.ts";
import { createShareOfTime } from "../../src/asking/share-of-time.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { createSignal } from "../reload/scene.ts";
import { eventually } from "./instances.ts";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

async function clientOf(registry: RequestListener): Promise<RegistryClient> {
  const server = createServer(registry).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = createRegistryClient({ scheme: "http", host: "127.0.0.1", port });
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
    client.close,
  );
  return client;
}

const service = { name: "orders", namespace: "shop", scheme: "http" } as const;
const token = (): Promise<undefined> => Promise.resolve(undefined);

function slice(host: string): object {
  return { metadata: { name: "one" }, addressType: "IPv4", ports: [{ port: 80 }], endpoints: [{ addresses: [host] }] };
}

test("changes that Kubernetes tells one after the other are put into force together", async () => {
  const hosts = Array.from({ length: 2_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  const client = await clientOf((req, res) => {
    if (!String(req.url).includes("watch=true")) {
      res.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [slice("10.1.0.0")] }));
      return;
    }
    res.write(hosts.map((host) => `${JSON.stringify({ type: "MODIFIED", object: slice(host) })}\n`).join(""));
  });
  const find = createKubernetesFinder({ client, token, namespace: "shop", watches: true });
  const end = new AbortController();
  const began = performance.now();
  const { given, give } = createSignal();
  let lists = 0;
  const finding = find(service, take, end.signal);
  await Promise.race([given, finding]);
  end.abort();
  // The first one, the first change, and then one each 50 ms.
  expect(lists).toBeLessThanOrEqual(2 + (performance.now() - began) / 50);
  await finding.catch(() => undefined);

  function take(instances: readonly Readonly<{ host: string }>[]): void {
    lists += 1;
    if (instances[0]?.host === hosts.at(-1)) give();
  }
});

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

/** By the clock and of the processor: what is put aside in between does not count. */
function workFor(milliseconds: number): void {
  const [began, before] = [performance.now(), processorTime()];
  while (performance.now() - began < milliseconds || processorTime() - before < milliseconds * 1_000);
}

test("a Consul whose lists take long to read is asked the more seldom", async () => {
  const asked: number[] = [];
  const read: number[] = [];
  const client = await clientOf((_req, res) => {
    asked.push(performance.now());
    res.setHeader("X-Consul-Index", String(asked.length)).end("[]");
  });
  const find = createConsulFinder({ client, token, usesNodeName: false, mayBlock: true });
  const end = new AbortController();
  await find(
    service,
    () => {
      workFor(30);
      read.push(performance.now());
      if (read.length === 3) end.abort();
    },
    end.signal,
  );
  const pauses = asked.slice(1).map((at, index) => at - read[index]!);
  // Nine times as long as reading, less what the clock of a timer lacks.
  for (const pause of pauses) expect(pause).toBeGreaterThan(268);
  expect(pauses).toHaveLength(2);
});

async function lengthsOf(count: number): Promise<readonly (number | undefined)[]> {
  const [room, noRoom] = [createByteRoom(1_000_000), () => new Error("no room")];
  const lines = createLineReader({ mostBytes: 400_000, room, noRoom, tooLong: () => new Error("too long") });
  const lengths: (number | undefined)[] = [];
  const add = (piece: string): void => {
    lines.add(Buffer.from(piece));
    for (let line = lines.next(); line !== undefined; line = lines.next()) lengths.push(line.length);
  };
  add("first\n");
  for (let index = 0; index < count; index += 1) {
    add("x");
    // The test would not end in time, were each piece as dear as what came before it.
    if (index % 1_000 === 0) await nextTurn();
  }
  add("\n\nrest");
  return lengths;
}

test("a line may come in very many pieces, and be no longer than it may", async () => {
  expect(await lengthsOf(400_000)).toEqual([5, 400_000, 0]);
  await expect(lengthsOf(400_001)).rejects.toThrow("too long");
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

test("a registry that begins lines for many services and never ends them is not kept in memory", async () => {
  const piece = Buffer.alloc(1_048_576, "x");
  const client = await clientOf((_req, res) => {
    res.write('"');
    for (let index = 0; index < 7; index += 1) res.write(piece);
  });
  const end = new AbortController();
  const follow = (): Promise<void> => client.follow({ path: "/", within: 60_000, signal: end.signal }, () => undefined);
  await expect(Promise.race(Array.from({ length: 20 }, follow))).rejects.toThrow("for all services together");
  end.abort();
});

test("EndpointSlices of a watch are no more than a list of them may be", async () => {
  const long = "x".repeat(1_000_000);
  const named = (index: number): object => ({ ...slice("10.0.0.1"), metadata: { name: `slice-${index}`, long } });
  const client = await clientOf((req, res) => {
    const isWatch = String(req.url).includes("watch=true");
    const told = Array.from({ length: isWatch ? 4 : 5 }, (_, index) => named(isWatch ? index + 5 : index));
    if (!isWatch) res.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: told }));
    else res.end(told.map((object) => `${JSON.stringify({ type: "ADDED", object })}\n`).join(""));
  });
  const find = createKubernetesFinder({ client, token, namespace: "shop", watches: true });
  await expect(find(service, () => undefined, new AbortController().signal)).rejects.toThrow(
    "of a service that have more than 8388608 bytes",
  );
});

test("what registries answer is paid for together: three times as long as all of it took, nothing of it is read", async () => {
  const { note, wait } = createShareOfTime();
  const { signal } = new AbortController();
  await wait(signal);
  const began = performance.now();
  for (let answer = 0; answer < 4; answer += 1) note(10);
  await wait(signal);
  expect(performance.now() - began).toBeGreaterThan(118);
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

test("what is told of many services of one Kubernetes takes a part of the time together", async () => {
  const change = (): string => `${JSON.stringify({ type: "MODIFIED", object: slice("10.1.0.1") })}\n`;
  const client = await clientOf((req, res) => {
    if (!String(req.url).includes("watch=true")) {
      res.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [slice("10.1.0.0")] }));
      return;
    }
    const changing = setInterval(() => res.write(change()), 10);
    res.on("close", () => clearInterval(changing));
  });
  const find = createKubernetesFinder({ client, token, namespace: "shop", watches: true });
  const end = new AbortController();
  const names = Array.from({ length: 12 }, (_, index) => `service-${index}`);
  const told = new Map(names.map((name) => [name, 0]));
  let working = 0;
  let began = Infinity;
  const finding = names.map((name) => find({ ...service, name }, () => take(name), end.signal));
  await Promise.race([new Promise((resolve) => end.signal.addEventListener("abort", resolve)), ...finding]);
  // A quarter, and the moment in which nobody notices it.
  expect(working / (performance.now() - began)).toBeLessThan(0.4);
  await Promise.allSettled(finding);

  function take(name: string): void {
    const until = performance.now() + 10;
    while (performance.now() < until);
    told.set(name, told.get(name)! + 1);
    const counts = [...told.values()];
    if (began !== Infinity) working += 10;
    // First lists are told at once.
    else if (counts.every((count) => count > 0)) began = performance.now();
    if (counts.every((count) => count >= 4)) end.abort();
  }
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
