import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { leastCost } from "../helpers/compare-costs.ts";
import { machineSlowness } from "../helpers/machine-slowness.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { createBombs } from "./bombs.ts";
import type { Strain } from "./gateway-process.ts";

const tenGigabytes = 10 * 1024 * 1024 * 1024;
const limit = 100 * 1024 * 1024;
const codings = ["gzip", "br", "zstd"];
const prefix = '{"Response": ';
const numbers = Buffer.from('{"n":12345678901234567890,"n":0.10000000000000000055},'.repeat(2_000));
const repeats = Math.ceil((200 * 1024 * 1024) / numbers.length);

let bombs: Awaited<ReturnType<typeof createBombs>>;
let upstream: Upstream;
let firstByteSent = 0;

function* bigBody(): Generator<Buffer> {
  yield Buffer.from("[");
  for (let index = 0; index < repeats; index += 1) yield numbers;
  yield Buffer.from("0]");
}

async function sendBigBody(res: http.ServerResponse): Promise<void> {
  firstByteSent = performance.now();
  const closed = once(res, "close");
  for (const chunk of bigBody()) {
    if (res.destroyed) return;
    if (!res.write(chunk)) await Promise.race([once(res, "drain"), closed]);
  }
  res.end();
}

type GatewayProcess = Readonly<{
  port: number;
  tell: (message: "begin" | "report") => Promise<Strain>;
  stop: () => Promise<void>;
}>;

async function startGatewayProcess(maxBytes: number): Promise<GatewayProcess> {
  const script = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const parts = [...flags, script, String(upstream.port), String(maxBytes)];
  const child = spawn(process.execPath, parts, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [port] = (await once(child, "message")) as [number];
  return { port, tell, stop };

  async function tell(message: "begin" | "report"): Promise<Strain> {
    child.send(message);
    const [strain] = (await once(child, "message")) as [Strain];
    return strain;
  }

  async function stop(): Promise<void> {
    child.disconnect();
    await once(child, "exit");
  }
}

beforeAll(async () => {
  bombs = await createBombs(tenGigabytes);
  upstream = await startUpstream((req, res) => {
    const [, kind = "", coding = ""] = req.url!.split("/");
    res.setHeader("content-type", "application/json");
    if (kind === "big") void sendBigBody(res);
    else if (coding === "") res.end('{"small":true}');
    else res.setHeader("content-encoding", coding).end(bombs[coding]);
  });
});

afterAll(() => upstream.close());

type Received = { bytes: number; isWhole: boolean; firstByteAfter: number; hash: string; end: string };

/** Reads an answer without keeping it, all of it or as far as its first byte. */
function receive(port: number, path: string, extent: "all" | "first byte" = "all"): Promise<Received> {
  return new Promise((resolve, reject) => {
    const hash = createHash("sha256");
    let bytes = 0;
    let firstByteAfter = NaN;
    let end = "";
    const begun = http.get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        if (bytes === 0) firstByteAfter = performance.now() - firstByteSent;
        if (extent === "first byte") answer.destroy();
        bytes += chunk.length;
        end = (end + chunk.subarray(-30).toString()).slice(-30);
        if (path === "/big") hash.update(chunk);
      });
      answer.on("error", () => undefined);
      answer.on("close", () => {
        resolve({ bytes, isWhole: answer.complete, firstByteAfter, hash: hash.digest("hex"), end });
      });
    });
    begun.on("error", reject);
  });
}

describe("one at a time", () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGatewayProcess(limit);
  });

  afterAll(() => gateway.stop());

  /** What the collector has not come to yet counts as well; only what is kept is there each time. */
  async function growthOf(path: string, judge: (received: Received) => void): Promise<number> {
    await gateway.tell("begin");
    judge(await receive(gateway.port, path));
    return (await gateway.tell("report")).megabytes;
  }

  test.each(codings)("10 GB in a little %s end at the limit, in little memory", async (coding) => {
    const suspected = () =>
      growthOf(`/json/${coding}`, ({ bytes, isWhole, end }) => {
        expect(isWhole).toBe(false);
        expect(end).toMatch(/^1+$/);
        expect(bytes).toBeLessThanOrEqual(limit + prefix.length);
      });
    expect(await leastCost({ suspected, most: 50 })).toBeLessThan(50);
  });

  test("the first byte of an answer comes at once", async () => {
    const suspected = async () => (await receive(gateway.port, "/big", "first byte")).firstByteAfter;
    const most = 50 * machineSlowness();
    expect(await leastCost({ suspected, most })).toBeLessThan(most);
  });

  // What a process takes for its first requests, the ones above have taken.
  test("a JSON of 200 MB passes byte for byte, in little memory", async () => {
    const hash = createHash("sha256").update(prefix);
    for (const chunk of bigBody()) hash.update(chunk);
    const expected = hash.update(', "Metadata": {"a":"b"}}').digest("hex");
    const suspected = () => growthOf("/big", (received) => expect(received.hash).toBe(expected));
    expect(await leastCost({ suspected, most: 30 })).toBeLessThan(30);
  });
});

describe("many at once", () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await startGatewayProcess(limit / 5);
  });

  afterAll(() => gateway.stop());

  async function runTenBombs(): Promise<number> {
    await gateway.tell("begin");
    const exploding = Array.from({ length: 10 }, (_, index) =>
      receive(gateway.port, `/json/${codings[index % codings.length]!}`),
    );
    const answers: string[] = [];
    for (let count = 0; count < 100; count += 1) {
      answers.push((await request({ port: gateway.port, path: "/small" })).body.toString());
    }
    const exploded = await Promise.all(exploding);
    const { longestPause } = await gateway.tell("report");
    expect(new Set(answers)).toEqual(new Set(['{"Response": {"small":true}, "Metadata": {"a":"b"}}']));
    expect(exploded.map(({ isWhole }) => isWhole)).toEqual(Array(10).fill(false));
    return longestPause;
  }

  test("ten bombs leave a hundred ordinary requests alone, and the event loop free", async () => {
    const most = 20 * machineSlowness();
    expect(await leastCost({ suspected: runTenBombs, most })).toBeLessThan(most);
  });
});
