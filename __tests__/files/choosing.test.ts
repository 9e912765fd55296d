import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { ConfigError, loadConfig } from "../../src/index.ts";
import { type Folder, writeFolder } from "./write-folder.ts";

type Entry = Readonly<Record<string, unknown>>;
type Choice = Readonly<{ environmentName?: string; ignore?: readonly string[]; parts?: readonly string[] }>;
type Row = readonly [why: string, files: Readonly<Record<string, unknown>>, choice: Choice, expected: unknown];

function route(path: string, more: Entry = {}): Entry {
  return {
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: [{ Host: "a.internal", Port: 1 }],
    ...more,
  };
}

const a = { Routes: [route("/a")] };
const b = { Routes: [route("/b")] };
const c = { Routes: [route("/c")] };
const base = { BaseUrl: "https://a.example", Timeout: 3 };

async function load(folder: Folder, choice: Choice): Promise<unknown> {
  try {
    const { routes, warnings } = await loadConfig(folder.path, { logger: false, ...choice });
    const codes = warnings.map(({ code, file = "" }) => `${code} ${basename(file)}`);
    return [routes.map(({ UpstreamPathTemplate }) => UpstreamPathTemplate).join(" "), ...codes];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ code, file = "", line }) => `${code} ${basename(file)}:${line}`).join(", ");
  }
}

async function loadWritten(files: Readonly<Record<string, unknown>>, choice: Choice): Promise<unknown> {
  const folder = await writeFolder(files);
  const found = await load(folder, choice);
  await folder.remove();
  return JSON.parse(JSON.stringify(found).replaceAll(basename(folder.path), "<folder>"));
}

describe("Of the files in a folder", () => {
  const production = { environmentName: "Production" };
  const rows: readonly Row[] = [
    ["one alone is the configuration", { "ocelot.json": a }, {}, ["/a"]],
    ["parts count in the order of their names", { "ocelot.b.json": b, "ocelot.a.json": a }, {}, ["/a /b"]],
    ["capital letters come first", { "ocelot.b.json": b, "ocelot.Z.json": c }, {}, ["/c /b"]],
    ["names count in any case", { "OCELOT.A.JSON": a, "Ocelot.b.c.json": b }, {}, ["/a /b"]],
    ["two dots make a part as well", { "ocelot..json": a, "ocelot.b.json": b }, {}, ["/a /b"]],
    [
      "one of another name is told of",
      { "ocelot.a.json": a, "ocelot-b.json": b },
      {},
      ["/a", "file-passed-over <folder>"],
    ],
    [
      "one with comments in its name is told of",
      { "ocelot.a.json": a, "ocelot.b.jsonc": b },
      {},
      ["/a", "file-passed-over <folder>"],
    ],
    ["folders are not searched", { "ocelot.a.json": a, "more/ocelot.b.json": b }, {}, ["/a"]],
    [
      "a byte order mark in a part is none of its text",
      { "ocelot.a.json": `\ufeff${JSON.stringify(a)}`, "ocelot.b.json": b },
      {},
      ["/a /b"],
    ],
    [
      "a comment at the top of a part loses nothing",
      { "ocelot.a.json": `// A\n/* B */ ${JSON.stringify(a)}`, "ocelot.b.json": b },
      {},
      ["/a /b"],
    ],
    ["a part may hold nothing", { "ocelot.a.json": a, "ocelot.b.json": {} }, {}, ["/a"]],
    ["an empty file is no part", { "ocelot.a.json": a, "ocelot.b.json": "" }, {}, "json-syntax ocelot.b.json:1"],
    [
      "half a part stops the start",
      { "ocelot.a.json": a, "ocelot.b.json": '{ "Routes": [' },
      {},
      "json-syntax ocelot.b.json:1",
    ],
    ["a list is no part", { "ocelot.a.json": a, "ocelot.b.json": [route("/b")] }, {}, "wrong-type ocelot.b.json:1"],
    [
      "ocelot.json that says the same as the parts is passed over",
      { "ocelot.a.json": a, "ocelot.b.json": b, "ocelot.json": { Routes: [...a.Routes, ...b.Routes] } },
      {},
      ["/a /b"],
    ],
    [
      "ocelot.json that says something else stops the start",
      { "ocelot.a.json": a, "ocelot.json": b },
      {},
      "file-superfluous ocelot.json:1",
    ],
    ["ocelot.json may be passed over", { "ocelot.a.json": a, "ocelot.json": b }, { ignore: ["ocelot.json"] }, ["/a"]],
    ["ocelot.json may be made a part", { "ocelot.a.json": a, "ocelot.json": b }, { parts: ["ocelot.json"] }, ["/b /a"]],
    [
      "one of an environment that nobody asked for stops the start",
      { "ocelot.a.json": a, "ocelot.Staging.json": b },
      {},
      "file-of-environment ocelot.Staging.json:1",
    ],
    [
      "one of an environment is known in any case",
      { "ocelot.a.json": a, "ocelot.qa.json": b },
      {},
      "file-of-environment ocelot.qa.json:1",
    ],
    [
      "one of another environment than was asked for, too",
      { "ocelot.json": a, "ocelot.Production.json": {}, "ocelot.Dev.json": {} },
      production,
      "file-of-environment ocelot.Dev.json:1",
    ],
    [
      "one of an environment may be a part",
      { "ocelot.a.json": a, "ocelot.test.json": b },
      { parts: ["ocelot.test.json"] },
      ["/a /b"],
    ],
    [
      "one of an environment may be passed over",
      { "ocelot.a.json": a, "ocelot.test.json": b },
      { ignore: ["ocelot.test.json"] },
      ["/a"],
    ],
    [
      "that of the environment is laid over the others",
      { "ocelot.json": a, "ocelot.PRODUCTION.json": { Routes: [{ New: true, ...route("/b") }] } },
      production,
      ["/a /b"],
    ],
    [
      "that of the environment is missed",
      { "ocelot.json": a },
      production,
      "file-unreadable ocelot.Production.json:undefined",
    ],
    [
      "that of the environment is the configuration where there is nothing beneath",
      { "ocelot.Production.json": a, "ocelot.Staging.json": b },
      production,
      ["/a"],
    ],
    [
      "those of environments alone are none that could be chosen from",
      { "ocelot.Production.json": a, "ocelot.Staging.json": b },
      {},
      "file-unreadable <folder>:undefined",
    ],
    [
      "none is a configuration that is called otherwise",
      { "gateway.json": a },
      {},
      "file-unreadable <folder>:undefined",
    ],
    [
      "one most of whose routes stand in another repeats it",
      { "ocelot.a.json": a, "ocelot.b.json": { Routes: [route("/a", { Timeout: 9 })] } },
      {},
      "file-repeats ocelot.b.json:1",
    ],
    [
      "what holds for all may stand in a part",
      { "ocelot.a.json": { ...a, GlobalConfiguration: base }, "ocelot.b.json": b },
      {},
      ["/a /b"],
    ],
    [
      "what holds for all may not stand in two",
      {
        "ocelot.a.json": { ...a, GlobalConfiguration: base },
        "ocelot.b.json": { ...b, GlobalConfiguration: { Timeout: 4 } },
      },
      {},
      "global-repeated ocelot.b.json:1",
    ],
    [
      "what holds for all may be repeated, in part and in any case",
      {
        "ocelot.a.json": { ...a, GlobalConfiguration: { baseurl: "https://a.example", RateLimitOptions: {} } },
        "ocelot.global.json": { GlobalConfiguration: base },
      },
      {},
      ["/a"],
    ],
    [
      "what holds for all may not say more in another part",
      {
        "ocelot.a.json": { ...a, GlobalConfiguration: { ...base, RequestIdKey: "X" } },
        "ocelot.global.json": { GlobalConfiguration: base },
      },
      {},
      "global-repeated ocelot.a.json:1",
    ],
    [
      "what holds for all may not be a list in one",
      {
        "ocelot.a.json": { ...a, GlobalConfiguration: { ...base, Providers: [1] } },
        "ocelot.global.json": { GlobalConfiguration: { ...base, Providers: [2] } },
      },
      {},
      "global-repeated ocelot.a.json:1, wrong-type ocelot.global.json:1",
    ],
  ];

  test.each(rows)("%s", async (_why, files, choice, expected) => {
    expect(await loadWritten(files, choice)).toEqual(expected);
  });

  test("a directory, and a link to nothing, stop the start where a part would lie", async () => {
    const folder = await writeFolder({ "ocelot.a.json": a });
    await mkdir(join(folder.path, "ocelot.b.json"));
    expect(await load(folder, {})).toBe("file-unreadable ocelot.b.json:undefined");
    expect(await load(folder, { ignore: ["ocelot.b.json"] })).toEqual(["/a"]);
    await symlink("nothing", join(folder.path, "ocelot.c.json"));
    expect(await load(folder, { ignore: ["ocelot.b.json"] })).toBe("file-unreadable ocelot.c.json:undefined");
    await folder.remove();
  });

  test("a name with what a terminal or a log would take for its own is told in escapes", async () => {
    const folder = await writeFolder({ "ocelot.a.json": a });
    const name = 'ocelot.\u001b[31m"\n.json';
    await writeFile(join(folder.path, name), '{ "Routes": 1 }');
    const refusal = await loadConfig(folder.path, { logger: false }).catch((error: unknown) => error);
    await folder.remove();
    expect(refusal).toBeInstanceOf(ConfigError);
    expect((refusal as ConfigError).message).not.toMatch(/\u001b|"\n\.json/);
  });
});

describe("What nobody asked for is told of with what works instead:", () => {
  const over = { Routes: [{ ...route("/a"), Timeout: 5 }] };
  const three = { "ocelot.Development.json": over, "ocelot.Production.json": over, "ocelot.Staging.json": over };
  const ignored = ["ocelot.Production.json", "ocelot.Staging.json"];
  const ignore = ignored.map((name) => `--ignore ${name}`).join(" ");

  test("the file alone beside which that of the environment lies, or the names to ignore", async () => {
    const folder = await writeFolder({ "ocelot.json": a, ...three });
    const asked = { logger: false, environmentName: "Development" } as const;
    const refusal = await loadConfig(folder.path, asked).catch((error: unknown) => error as ConfigError);
    const messages = (refusal as ConfigError).problems.map(({ message }) => message);
    const whole = join(folder.path, "ocelot.json");
    expect(messages).toHaveLength(2);
    for (const message of messages) {
      expect(message).toContain(`--environment Development ${whole} reads that file and the environment's`);
      expect(message).toContain(`${ignore} passes over all that nobody asked for`);
    }

    const [alone, without] = [
      await loadConfig(whole, asked),
      await loadConfig(folder.path, { ...asked, ignore: ignored }),
    ];
    expect(alone.routes.map(({ Timeout }) => Timeout)).toEqual([5]);
    expect(without.routes).toEqual(alone.routes);
    await folder.remove();
  });

  test("the names alone where the configuration has more parts", async () => {
    const folder = await writeFolder({ "ocelot.a.json": a, "ocelot.b.json": b, ...three });
    const asked = { logger: false, environmentName: "Development" } as const;
    const refusal = await loadConfig(folder.path, asked).catch((error: unknown) => error as ConfigError);
    const { message } = refusal as ConfigError;
    expect(message).toContain(ignore);
    expect(message).not.toContain("reads that file");
    await folder.remove();
  });
});
