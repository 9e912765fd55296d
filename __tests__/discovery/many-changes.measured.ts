import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createByteRoom } from "../../src/bodies/pieces/byte-room.ts";
import { createConsulFinder } from "../../src/discovery/registries/consul.ts";
import { createKubernetesFinder } from "../../src/discovery/registries/kubernetes.ts";
import { createLineReader } from "../../src/discovery/registries/read-lines.ts";
import { createShareOfTime } from "../../src/asking/share-of-time.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { createSignal } from "../reload/scene.ts";
import { clientOf, service, slice, token } from "./registry-that-tells.ts";

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
