import { type ChildProcess, spawn } from "node:child_process";
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
const patience = 60_000;
const tenGigabytes = 10 * 1024 * 1024 * 1024;
const limit = 100 * 1024 * 1024;
const numbers = Buffer.from('{"n":12345678901234567890,"n":0.10000000000000000055},'.repeat(2_000));
const repeats = Math.ceil((200 * 1024 * 1024) / numbers.length);

let bombs: Awaited<ReturnType<typeof createBombs>>;
let upstream: Upstream;
let gateway: ChildProcess;
let port: number;
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

beforeAll(async () => {
  bombs = await createBombs(tenGigabytes);
  upstream = await startUpstream((req, res) => {
    const [, kind = "", coding = ""] = req.url!.split("/");
    res.setHeader("content-type", kind === "text" ? "text/plain" : "application/json");
    if (kind === "big") void sendBigBody(res);
    else if (coding === "") res.end('{"small":true}');
    else bombs[coding]!().pipe(res.setHeader("content-encoding", coding));
  });
  const script = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  gateway = spawn(process.execPath, [...flags, script, String(upstream.port)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  [port] = (await once(gateway, "message")) as [number];
  // What a process takes for its first requests is not what these answers cost.
  for (const coding of Object.keys(bombs)) await receive(`/text/${coding}`);
}, patience);

afterAll(async () => {
  gateway.disconnect();
  await once(gateway, "exit");
  await upstream.close();
});

async function tell(message: "begin" | "report"): Promise<Strain> {
  gateway.send(message);
  const [strain] = (await once(gateway, "message")) as [Strain];
  return strain;
}

type Received = { bytes: number; isWhole: boolean; firstByteAfter: number; hash: string; ends: [string, string] };

/** Reads an answer without keeping it. */
function receive(path: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    const hash = createHash("sha256");
    let bytes = 0;
    let firstByteAfter = NaN;
    let beginning = "";
    let end = "";
    const begun = http.get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        if (bytes === 0) {
          firstByteAfter = performance.now() - firstByteSent;
          beginning = chunk.subarray(0, 20).toString();
        }
        bytes += chunk.length;
        end = (end + chunk.subarray(-30).toString()).slice(-30);
        if (path === "/big") hash.update(chunk);
      });
      answer.on("error", () => undefined);
      answer.on("close", () => {
        resolve({ bytes, isWhole: answer.complete, firstByteAfter, hash: hash.digest("hex"), ends: [beginning, end] });
      });
    });
    begun.on("error", reject);
  });
}

test("a JSON of 200 MB passes byte for byte, its first byte at once, in little memory", async () => {
  await receive("/big");
  await tell("begin");
  const received = await receive("/big");
  const { megabytes } = await tell("report");

  const expected = createHash("sha256").update('{"Response": ');
  for (const chunk of bigBody()) expected.update(chunk);
  expect(received.hash).toBe(expected.update(', "Metadata": {"a":"b"}}').digest("hex"));
  expect(received.firstByteAfter).toBeLessThan(50);
  expect(megabytes).toBeLessThan(30);
}, patience);

describe.each(["gzip", "br", "zstd"])("10 GB in a little %s", (coding) => {
  test.each([
    { kind: "json", most: limit + '{"Response": '.length },
    { kind: "text", most: limit },
  ])("end at the limit, in little memory ($kind)", async ({ kind, most }) => {
    await tell("begin");
    const { bytes, isWhole, ends } = await receive(`/${kind}/${coding}`);
    const { megabytes, longestPause } = await tell("report");
    expect(isWhole).toBe(false);
    expect(bytes).toBeLessThanOrEqual(most);
    expect(ends[1]).toMatch(/^1+$/);
    console.log(expect.getState().currentTestName, megabytes, 0);    expect(megabytes).toBeLessThan(50);
    console.log(longestPause);  expect(longestPause).toBeLessThan(20);
  }, patience);
});

test("ten of them at once, and a hundred ordinary requests beside them", async () => {
  const codings = ["gzip", "br", "zstd"];
  await tell("begin");
  const exploding = Array.from({ length: 10 }, (_, index) => receive(`/json/${codings[index % codings.length]!}`));
  const answers: string[] = [];
  for (let round = 0; round < 100; round += 1) answers.push((await request({ port, path: "/small" })).body.toString());
  const exploded = await Promise.all(exploding);
  const { longestPause } = await tell("report");
  expect(new Set(answers)).toEqual(new Set(['{"Response": {"small":true}, "Metadata": {"a":"b"}}']));
  expect(exploded.map(({ isWhole }) => isWhole)).toEqual(Array(10).fill(false));
  console.log(longestPause);  expect(longestPause).toBeLessThan(20);
}, patience);
