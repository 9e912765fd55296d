import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { loadConfig } from "../../src/config/load-config.ts";
import { ConfigError } from "../../src/errors.ts";
import { createLogBook, one } from "./configurations.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-"));
});

afterAll(() => rm(folder, { recursive: true }));

async function refusedBy(path: string, file?: string) {
  const { logger, lines } = createLogBook();
  const error: unknown = await loadConfig(path, { logger, file }).catch((reason: unknown) => reason);
  if (!(error instanceof ConfigError)) throw new Error("the configuration was accepted");
  return { error, lines };
}

describe("A file is read in", () => {
  const text = JSON.stringify(one({ Key: "größe" }));
  const swapped = Buffer.from(`\ufeff${text}`, "utf16le").swap16();
  const rows: readonly (readonly [string, string | Buffer])[] = [
    ["UTF-8", text],
    ["UTF-8 with a byte order mark", `\ufeff${text}`],
    ["UTF-16, as PowerShell writes it", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 with its bytes the other way round", swapped],
  ];

  test.each(rows)("%s", async (_encoding, content) => {
    const path = join(folder, "gateway.json");
    await writeFile(path, content);

    const config = await loadConfig(path, { logger: false });

    expect(config.routes[0]?.Key).toBe("größe");
  });
});

test("A file that does not exist is one problem, logged once", async () => {
  const { error, lines } = await refusedBy("no-such-gateway.json");

  const message =
    'cannot read the configuration "no-such-gateway.json": there is no such file ' +
    `(the working directory is ${JSON.stringify(process.cwd())})`;
  expect(error.problems).toEqual([{ code: "file-unreadable", path: "", message, file: "no-such-gateway.json" }]);
  expect(lines).toEqual([`error no-such-gateway.json: ${message} (file-unreadable)`]);
  expect(error.cause).toMatchObject({ code: "ENOENT" });
});

const devices = process.platform === "win32" ? [] : ["/dev/zero"];

test.each(devices)("What never ends, such as %s, is given up", async (device) => {
  const { error } = await refusedBy(device);

  expect(error.problems[0]?.message).toContain("it has more than 64 MiB");
});

test("Problems name the file as it was given, or as the option says", async () => {
  const path = join(folder, "wrong.json");
  await writeFile(path, '{ "Routes": 1 }');

  expect((await refusedBy(path)).lines).toEqual([
    `error ${path}:1:13 Routes: expected a list of objects, found 1 (wrong-type)`,
  ]);
  expect((await refusedBy(path, "shop.json")).lines).toEqual([
    "error shop.json:1:13 Routes: expected a list of objects, found 1 (wrong-type)",
  ]);
});
