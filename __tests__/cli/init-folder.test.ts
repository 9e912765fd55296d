import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createGateway, loadConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { runCommand } from "./run-waymark.ts";

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "waymark-init-folder-"));
});

afterAll(() => rm(cwd, { recursive: true }));

const files = ["ocelot.global.json", "ocelot.orders.json", "ocelot.pages.json", "ocelot.parcels.json"];

const open = `config/ocelot.global.json: no problems
config/ocelot.orders.json: no problems
  Anybody may come in, on every route.
config/ocelot.pages.json: no problems
  Anybody may come in, on every route.
config/ocelot.parcels.json: no problems
  Anybody may come in, on every route.
`;

const locked = `locked/ocelot.global.json: no problems
locked/ocelot.orders.json: no problems
  Who may come in:
    GET,PUT /orders/{id}  Bearer
locked/ocelot.pages.json: no problems
  Who may come in:
    GET /pages/orders/{id}  order: Bearer; parcel: Partners or Bearer
locked/ocelot.parcels.json: no problems
  Who may come in:
    GET /parcels/{id}  Partners or Bearer
`;

test.each([
  ["config", ["init", "--folder"], open, []],
  ["locked", ["init", "locked", "--folder", "--auth"], locked, ["/orders/1", "/pages/orders/1"]],
])(
  "the folder %s has no problems, starts as one configuration, and refuses whom it should",
  async (name, words, who, shut) => {
    const { code, stdout } = await runCommand(words, { cwd });
    expect([code, await readdir(join(cwd, name))]).toEqual([0, files]);
    expect(stdout).toContain(`Wrote ${name}. Next:\n  waymark check ${name}\n`);
    expect(await runCommand(["check", "--strict", name], { cwd })).toEqual({ code: 0, stdout: who, stderr: "" });

    const gateway = createGateway(await loadConfig(join(cwd, name), { logger: false }), { logger: false });
    const { port, close } = await serve(gateway, gateway);
    const key = /^The first API key, shown only now: (.+)$/m.exec(stdout)?.[1] ?? "";
    const refused: string[] = [];
    for (const path of ["/orders/1", "/parcels/1", "/pages/orders/1"]) {
      const { status } = await request({ port, path, headers: { "x-api-key": key } });
      if (status === 401) refused.push(path);
      else expect(status).toBe(502); // Nobody listens where it leads.
    }
    await close();
    expect(refused).toEqual(shut);
  },
);

test("a folder that is there is left as it is, unless forced, and then other files of it stay", async () => {
  const folder = join(cwd, "there");
  await mkdir(folder);
  await writeFile(join(folder, "ocelot.other.json"), "{}");
  expect(await runCommand(["init", "there", "--folder"], { cwd })).toEqual({
    code: 2,
    stdout: "",
    stderr: 'Cannot write "there": it exists already; --force overwrites it.\n',
  });
  expect(await readdir(folder)).toEqual(["ocelot.other.json"]);
  expect((await runCommand(["init", "there", "--folder", "--force"], { cwd })).code).toBe(0);
  expect(await readdir(folder)).toEqual([...files, "ocelot.other.json"].toSorted());
});

test("where a file has the folder's name, that is said", async () => {
  await writeFile(join(cwd, "file"), "");
  const { stderr } = await runCommand(["init", "file", "--folder", "--force"], { cwd });
  expect(stderr).toBe('Cannot write "file/ocelot.global.json": its directory is a file.\n');
});
