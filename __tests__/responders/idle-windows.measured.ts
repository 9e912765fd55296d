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

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
const clientCount = 30;
const maxBytes = 104_857_600;
const mebibytesOfHeap = 384;
const milliseconds = 12_000;
// Six windows of 16 MiB are a quarter of the heap; the process keeps some of the memory that was freed, which may count twice.
const mostThatGoOn = 12;
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

type Client = Readonly<{ socket: net.Socket; isWhole: () => boolean }>;

async function ask(port: number, { path, reads }: Idle): Promise<Client> {
  const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  let end = "";
  socket.on("data", (chunk) => (end = (end + chunk.toString("latin1", chunk.length - 5)).slice(-5)));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  if (!reads) socket.pause();
  return { socket, isWhole: () => end === "0\r\n\r\n" };
}

type Gateway = Readonly<{ port: number; stop: () => Promise<void> }>;

async function startGatewayProcess(engine: string): Promise<Gateway> {
  const script = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning", `--max-old-space-size=${mebibytesOfHeap}`];
  const parts = [...flags, script, String(upstream.port), String(maxBytes), engine];
  const child = spawn(process.execPath, parts, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

test.each(cases)(
  "Of $title, answers that stand still are broken off, and others come whole ($engine)",
  async ({ engine, ...idle }) => {
    const gateway = await startGatewayProcess(engine);
    const clients = await Promise.all(Array.from({ length: clientCount }, () => ask(gateway.port, idle)));
    const closed = clients.map(({ socket }) => once(socket, "close"));
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      const { status, body } = await request({ port: gateway.port, path: "/whole" });
      expect({ status, isWhole: body.length > text.length }).toEqual({ status: 200, isWhole: true });
      await wait(500);
    }
    for (const { socket } of clients) socket.resume();
    if (!idle.reads) await Promise.all(closed);
    const goOn = clients.filter(({ socket, isWhole }) => (idle.reads ? !socket.closed : isWhole()));
    for (const { socket } of clients) socket.destroy();
    await gateway.stop();

    expect(goOn.length).toBeLessThanOrEqual(mostThatGoOn);
  },
  120_000,
);
