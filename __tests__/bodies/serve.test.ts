import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { startWaymark } from "../cli/run-waymark.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const large = Buffer.alloc(1_000_000, "x");

/** Collects what is written before anything of waymark is loaded, and tells at the end how many pieces it finds empty. */
const collector = `
import { OutgoingMessage } from "node:http";
const kept = [];
const { write } = OutgoingMessage.prototype;
OutgoingMessage.prototype.write = function collect(...parts) {
  if (Buffer.isBuffer(parts[0])) kept.push(parts[0]);
  return Reflect.apply(write, this, parts);
};
process.on("exit", () => {
  console.error("kept " + kept.length + ", empty " + kept.filter(({ buffer }) => buffer.detached).length);
});
`;

let folder: string;
let upstream: Upstream;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-free-"));
  upstream = await startUpstream((req, res) => req.on("end", () => res.end(large)).resume());
});

afterEach(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

test.each(["undici", "http-proxy-middleware"])(
  "serve with the engine %s frees nothing where a tool was loaded before it",
  async (engine) => {
    await writeFile(join(folder, "collector.mjs"), collector);
    const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
    const route = { UpstreamPathTemplate: "/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts };
    await writeFile(join(folder, "gateway.json"), JSON.stringify({ Routes: [route] }));
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(join(folder, "collector.mjs")).href}` };
    const service = startWaymark(["serve", "gateway.json", "--port", "0", "--engine", engine], { cwd: folder, env });
    const { port } = await service.line(({ msg }) => msg.startsWith("Listening"));
    for (let count = 0; count < 3; count += 1) {
      await request({ port: port as number, method: "POST", path: "/a", body: large });
    }
    service.signal("SIGTERM");
    const { stderr } = await service.ended;
    expect(stderr).toMatch(/kept [1-9]\d*, empty 0/);
  },
);
