import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { loadingPacked } from "../helpers/load-packed.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const program = fileURLToPath(new URL("./sabotaged-gateway.ts", import.meta.url));
const large = Buffer.alloc(100_000, "x");
const targets = ["short", "large", "chunked", "slow", "refused"] as const;
const sabotages = [
  "nothing",
  "res.write",
  "res.end",
  "res.writeHead",
  "res.setHeader",
  "res.flushHeaders",
  "res.off",
  "the end",
  "req.pipe",
];

/** Express's own error handler uses the other functions itself, and is no part of the gateway. */
const sabotagesInExpress = ["nothing", "res.writeHead", "the end"];

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    const name = req.url!.slice(1);
    req.resume();
    if (name === "large") res.writeHead(200, { "content-length": large.length });
    if (name === "refused") req.socket.destroy();
    else if (name === "slow") req.once("close", () => res.destroy());
    else if (name === "chunked") {
      res.write(large);
      setImmediate(() => res.end(large));
    } else res.end(name === "large" ? large : "alive");
  });
});

afterAll(() => upstream.close());

/** Sends a request; whatever comes of it is good, but something must. A client of a slow upstream leaves. */
async function ask(port: number, method: string, target: string, sabotage: string): Promise<void> {
  const signal = AbortSignal.timeout(target === "slow" ? 50 : 20_000);
  const req = http.request({
    port,
    method,
    path: `/${target}`,
    headers: { "x-spoil": sabotage },
    agent: false,
    signal,
  });
  req.on("error", () => undefined);
  req.on("response", (answer) => answer.on("error", () => undefined).resume());
  if (method === "POST") req.write(large);
  req.end();
  await new Promise((resolve) => req.on("close", resolve));
  expect(signal.aborted && target !== "slow").toBe(false);
}

/** Whatever the answer is, the connection ends. */
async function askForUpgrade(port: number, path: string, sabotage: string): Promise<void> {
  const socket = connect(port, "127.0.0.1").resume();
  socket.on("error", () => undefined);
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  const key = "Sec-WebSocket-Key: MTIzNDU2Nzg5MDEyMzQ1Ng==\r\n";
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Spoil: ${sabotage}\r\n${upgrade}${key}\r\n`);
  await new Promise((resolve) => socket.once("close", resolve));
}

describe.each(["throws", "rejects"])("With observers that throw and a logger that %s", (logger) => {
  let child: ChildProcess;
  let ports: Readonly<Record<string, number>>;

  beforeAll(async () => {
    child = fork(program, [logger, String(upstream.port)], { silent: true, execArgv: [...loadingPacked] });
    [ports] = (await once(child, "message")) as [typeof ports];
  });

  afterAll(async () => {
    child.disconnect();
    await once(child, "exit");
  });

  const rows = engines.flatMap(({ name }) => [
    ...sabotages.map((sabotage) => [name, sabotage] as const),
    ...sabotagesInExpress.map((sabotage) => [`${name} in Express`, sabotage] as const),
  ]);

  test.each(rows)("and %s, the process goes on where middleware spoils %s", async (engine, sabotage) => {
    const methods = ["GET", "HEAD", "POST"];
    const port = ports[engine]!;
    await Promise.all(targets.flatMap((target) => methods.map((method) => ask(port, method, target, sabotage))));
    const alive = await fetch(`http://127.0.0.1:${port}/short`);
    expect(await alive.text()).toBe("alive");
    child.send("What was uncaught?");
    expect(await once(child, "message")).toEqual([[], undefined]);
  });

  test("the process goes on where middleware of the app spoils the answer to an upgrade request", async () => {
    const port = ports[`${engines[0]!.name} behind middleware`]!;
    const asked = ["/refused", "/no/route"].flatMap((path) => sabotages.map((sabotage) => ({ path, sabotage })));
    await Promise.all(asked.map(({ path, sabotage }) => askForUpgrade(port, path, sabotage)));
    child.send("What was uncaught?");
    expect(await once(child, "message")).toEqual([[], undefined]);
  });
});
