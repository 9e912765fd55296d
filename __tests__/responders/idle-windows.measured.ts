import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import type { Strain } from "./gateway-process.ts";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
const clientCount = 30;
const maxBytes = 104_857_600;
const mebibytesOfHeap = 384;

// The windows of all clients take 480, and the process keeps some of what was freed.
const mostMebibytes = 320;
const text = `[${'{"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},'.repeat(400_000)}{}]`;
let upstream: Upstream;

beforeAll(async () => {
  const params = { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 };
  const body = zlib.brotliCompressSync(text, { params });
  upstream = await startUpstream((req, res) => {
    res.setHeader("content-type", "application/json").setHeader("content-encoding", "br");
    if (req.url === "/stalled") res.write(body.subarray(0, body.length - 1));
    else res.end(body);
  });
});

afterAll(() => upstream.close());

type Idle = Readonly<{ path: string; reads: boolean; title: string }>;

const idlers: readonly Idle[] = [
  { path: "/whole", reads: false, title: "clients that read nothing" },
  { path: "/stalled", reads: true, title: "services that send nothing more" },
];

const cases = engines.flatMap(({ name }) => idlers.map((idle) => ({ ...idle, engine: name })));

async function ask(port: number, { path, reads }: Idle): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return reads ? socket.resume() : socket.pause();
}

type Gateway = Readonly<{ port: number; begin: () => Promise<Strain>; stop: () => Promise<void> }>;

async function startGatewayProcess(engine: string): Promise<Gateway> {
  const script = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning", `--max-old-space-size=${mebibytesOfHeap}`];
  const parts = [...flags, script, String(upstream.port), String(maxBytes), engine];
  const child = spawn(process.execPath, parts, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    async begin() {
      child.send("begin");
      const [strain] = (await once(child, "message")) as [Strain];
      return strain;
    },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

test.each(cases)(
  "Of $title, idle answers keep little memory together, and others come whole ($engine)",
  async ({ engine, ...idle }) => {
    const gateway = await startGatewayProcess(engine);
    const { megabytesAtAll: before } = await gateway.begin();
    const sockets = await Promise.all(Array.from({ length: clientCount }, () => ask(gateway.port, idle)));
    let megabytes = Infinity;
    const answers: unknown[] = [];
    for (let asked = 0; asked < 60 && megabytes > mostMebibytes; asked += 1) {
      const { status, body } = await request({ port: gateway.port, path: "/whole" });
      answers.push({ status, isWhole: body.length > text.length });
      await wait(500);
      if (asked > 6) megabytes = (await gateway.begin()).megabytesAtAll - before;
    }
    for (const socket of sockets) socket.destroy();
    await gateway.stop();

    expect(answers).toEqual(answers.map(() => ({ status: 200, isWhole: true })));
    expect(megabytes).toBeLessThan(mostMebibytes);
  },
  120_000,
);
