import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "@jest/globals";
import { type RunningWaymark, startWaymark } from "../cli/run-waymark.ts";
import { type Answer, request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

// Two documents at a time are more than this holds.
const heapMegabytes = 128;

let [folder, waymark, service]: [string?, RunningWaymark?, Upstream?] = [];
afterEach(async () => {
  waymark?.signal("SIGKILL");
  await waymark?.ended;
  await service?.close();
  await rm(folder!, { recursive: true, force: true });
});

const byNumber = (count: number, make: (index: number) => [string, unknown]): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)));
const responses = { 200: { description: "well" } };
const head = { openapi: "3.0.3", info: { title: "Own", version: "1" } };
const parameters = [{ name: "a", in: "path", required: true, schema: {} }];

test.each<[what: string, engine: string, document: object]>([
  [
    "of a megabyte",
    "http-proxy-middleware",
    { ...head, paths: byNumber(7_500, (index) => [`/p${index}/{a}`, { get: { responses, parameters } }]) },
  ],
  ["of 8 MiB", "undici", { ...head, paths: {}, info: { ...head.info, description: "x".repeat(8_300_000) } }],
])(
  "many documents %s that are asked for at once take the memory of one, and all others are served (%s)",
  async (_, engine, document) => {
    const bytes = gzipSync(JSON.stringify(document));
    service = await startUpstream((req, res) => {
      if (req.url!.startsWith("/document")) res.setHeader("content-encoding", "gzip").end(bytes);
      else res.end("else");
    });
    const { port, origin } = service;
    const names = Array.from({ length: 6 }, (_value, index) => `k${index}`);
    const config = {
      Routes: names.map((name) => ({
        SwaggerKey: name,
        UpstreamPathTemplate: `/${name}/{all}`,
        DownstreamPathTemplate: "/{all}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
      })),
      SwaggerEndPoints: names.map((name) => ({ Key: name, Config: [{ Url: `${origin}/document?${name}` }] })),
    };
    folder = await mkdtemp(join(tmpdir(), "waymark-documents-"));
    await writeFile(join(folder, "gateway.json"), JSON.stringify(config));
    const words = ["serve", "gateway.json", "--openapi", "--port", "0", "--engine", engine];
    const env = { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` };
    waymark = startWaymark(words, { cwd: folder, env });
    const own = Number((await waymark.line(({ msg }) => msg.startsWith("Listening on "))).port);

    const progress = { isOver: false };
    const asked = Promise.all(names.map((name) => request({ port: own, path: `/swagger/docs/v1/${name}` })));
    const answers = asked.finally(() => (progress.isOver = true));
    while (!progress.isOver) expect((await request({ port: own, path: "/k0/else" })).status).toBe(200);
    const late = (await answers).filter(({ status }) => status !== 200);
    expect(late.length).toBeLessThan(names.length);
    for (const answer of late) expect(refusalOf(answer)).toEqual([503, "10"]);
  },
);

function refusalOf({ status, headers }: Answer): readonly unknown[] {
  return [status, headers["retry-after"]];
}
