import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { createBombs } from "./bombs.ts";
import type { Strain } from "./gateway-process.ts";

/** Milliseconds, for machines that have other things to do. */
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
  for (const chunk of bigBody()) {
    if (!res.write(chunk)) await once(res, "drain");
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
  // What a process takes for its first requests is not what the later ones cost.
  for (const coding of codings) await receive(port, `/json/${coding}`);
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

/** Reads an answer without keeping it. */
function receive(port: number, path: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const hash = createHash("sha256");
    let bytes = 0;
    let firstByteAfter = NaN;
    let end = "";
    const begun = http.get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        if (bytes === 0) firstByteAfter = performance.now() - firstByteSent;
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

  async function receiveBig(growths: number[]): Promise<Received> {
    await gateway.tell("begin");
    const received = await receive(gateway.port, "/big");
    growths.push((await gateway.tell("report")).megabytes);
    return received;
  }

  test("a JSON of 200 MB passes byte for byte, its first byte at once, in little memory", async () => {
    // What the collector has not come to yet counts as well; only what is kept is there each time.
    const growths: number[] = [];
    let received = await receiveBig(growths);
    while (growths.length < 3 && Math.min(...growths) >= 30) received = await receiveBig(growths);

    const expected = createHash("sha256").update(prefix);
    for (const chunk of bigBody()) expected.update(chunk);
    expect(received.hash).toBe(expected.update(', "Metadata": {"a":"b"}}').digest("hex"));
    expect(received.firstByteAfter).toBeLessThan(50);
    expect(Math.min(...growths)).toBeLessThan(30);
  });

  test.each(codings)("10 GB in a little %s end at the limit, in little memory", async (coding) => {
    await gateway.tell("begin");
    const { bytes, isWhole, end } = await receive(gateway.port, `/json/${coding}`);
    const { megabytes } = await gateway.tell("report");
    expect(isWhole).toBe(false);
    expect(end).toMatch(/^1+$/);
    expect(bytes).toBeLessThanOrEqual(limit + prefix.length);
    expect(megabytes).toBeLessThan(50);
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
    // A machine with other work makes a pause now and then; one of our own making would be there each time.
    const pauses: number[] = [];
    while (pauses.length < 3 && Math.min(...pauses) >= 20) pauses.push(await runTenBombs());
    expect(Math.min(...pauses)).toBeLessThan(20);
  });
});
