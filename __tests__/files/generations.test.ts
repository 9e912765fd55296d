import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ConfigError, createGateway, loadConfig, watchConfig } from "../../src/index.ts";
import { type Folder, writeFolder } from "./write-folder.ts";

const letters = ["a", "b", "c", "d", "e", "f"];

/** Six files that all tell of which generation they are. */
function generation(name: string): Readonly<Record<string, unknown>> {
  const files = letters.map((letter) => [
    `${name}/ocelot.${letter}.json`,
    {
      Routes: [
        {
          Key: `${name}-${letter}`,
          UpstreamPathTemplate: `/${letter}`,
          DownstreamPathTemplate: "/",
          DownstreamHostAndPorts: [{ Host: "a.internal", Port: 1 }],
        },
      ],
    },
  ]);
  return Object.fromEntries(files) as Readonly<Record<string, unknown>>;
}

let folder: Folder;

beforeAll(async () => {
  folder = await writeFolder({ ...generation("one"), ...generation("two") });
  symlinkSync("one", at("present"));
});

afterAll(() => folder.remove());

function at(name: string): string {
  return join(folder.path, name);
}

/** Switches the link in one step, as a deployment does. */
function switchTo(name: string): void {
  symlinkSync(name, at("next"));
  renameSync(at("next"), at("present"));
}

/** Puts another folder into the place of one. */
function swap(): void {
  renameSync(at("one"), at("aside"));
  renameSync(at("two"), at("one"));
  renameSync(at("aside"), at("two"));
}

function generationsOf(keys: readonly (string | undefined)[]): string {
  return [...new Set(keys.map((key = "") => key.slice(0, 3)))].join(" and ");
}

async function load(path: string): Promise<string> {
  const { routes } = await loadConfig(at(path), { logger: false });
  return generationsOf(routes.map(({ Key }) => Key));
}

const moments = Array.from({ length: 20 }, (_, index) => index * 2);

/** Changes something while it is read, each time a little later after the beginning. */
async function atEachMoment(read: () => Promise<string>, change: () => void): Promise<readonly string[]> {
  const seen = new Set<string>();
  for (const moment of moments) {
    const reading = read();
    await turns(moment);
    change();
    seen.add(await reading);
  }
  return [...seen].toSorted();
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

describe("Files of two generations are never mixed", () => {
  let present = "one";

  function switchLink(): void {
    present = present === "one" ? "two" : "one";
    switchTo(present);
  }

  test("when a link is switched while they are read", async () => {
    expect(await atEachMoment(() => load("present"), switchLink)).toEqual(["one", "two"]);
  });

  test("when a link is switched to and fro while they are read", async () => {
    for (const between of [2, 6]) {
      for (const moment of moments) {
        switchTo("one");
        const reading = load("present");
        await turns(moment);
        switchTo("two");
        await turns(between);
        switchTo("one");
        expect(["one", "two"]).toContain(await reading);
      }
    }
  });

  test("when a folder is put into the place of another while they are read", async () => {
    // For a moment there is none in its place.
    const seen = await atEachMoment(() => load("one").catch(() => "none"), swap);
    expect(["none", "one", "two"]).toEqual(expect.arrayContaining([...seen]));
  });

  test("when somebody asks for the reading by hand", async () => {
    const gateway = createGateway(await loadConfig(at("present"), { logger: false }), { logger: false });
    const watcher = watchConfig(at("present"), gateway, { logger: false });
    const check = async (): Promise<string> => {
      await watcher.check();
      return generationsOf([...gateway.routes.keys()]);
    };
    const seen = await atEachMoment(check, switchLink);
    watcher.close();
    await gateway.close();
    expect(seen).toEqual(["one", "two"]);
  });
});

test("Files that never stay as they are cannot be read, and that is said", async () => {
  const file = at("restless.json");
  writeFileSync(file, "{}");
  const end = new AbortController();
  const writing = (async () => {
    for (let turn = 0; !end.signal.aborted; turn += 1) {
      writeFileSync(file, " ".repeat(turn) + "{}");
      await nextTurn();
    }
  })();
  const error: unknown = await loadConfig(file, { logger: false }).catch((reason: unknown) => reason);
  end.abort();
  await writing;
  expect((error as ConfigError).problems).toMatchObject([
    { code: "file-unreadable", message: expect.stringContaining("kept changing while they were read") },
  ]);
});
