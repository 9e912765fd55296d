import { basename } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { ConfigError } from "../../src/errors.ts";
import { loadConfig } from "../../src/index.ts";
import { refuseLostLocks } from "../../src/operating/refuse-lost-locks.ts";
import { run, writeFolder } from "./write-folder.ts";

type Files = Readonly<Record<string, unknown>>;
type Row = readonly [why: string, files: Files, environmentName: string | undefined, expected: unknown];

function route(path: string, more: object = {}): object {
  const hosts = [{ Host: "a.internal", Port: 1 }];
  return { UpstreamPathTemplate: path, DownstreamPathTemplate: path, DownstreamHostAndPorts: hosts, ...more };
}

const a = { Routes: [route("/a")] };
const b = { Routes: [route("/b")] };
const empties: readonly (readonly [what: string, content: unknown])[] = [
  ["nothing at all", ""],
  ["blanks", " \r\n\t"],
  ["a byte order mark", "\ufeff"],
  ["an empty object", {}],
  ["comments in an empty object", "{\r\n  // The base.\r\n}"],
  ["what is empty", { Routes: [], DynamicRoutes: [], Aggregates: null, GlobalConfiguration: {} }],
];

/** The templates of the routes and the codes of the warnings, or what is wrong. */
async function load(files: Files, environmentName: string | undefined): Promise<unknown> {
  const folder = await writeFolder(files);
  try {
    const { routes, warnings } = await loadConfig(folder.path, { logger: false, environmentName });
    const found = routes.map(({ UpstreamPathTemplate }) => UpstreamPathTemplate).join(" ");
    return [found, ...warnings.map(({ code }) => code).filter((code) => code !== "no-routes")];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ code, file = "" }) => `${code} ${basename(file)}`).join(", ");
  } finally {
    await folder.remove();
  }
}

describe.each(empties)("An ocelot.json that holds %s", (_what, content) => {
  const told = typeof content === "string" && content.trim() === "" ? ["file-passed-over"] : [];
  const rows: readonly Row[] = [
    [
      "is what Ocelot writes the parts into, and passed over beside them",
      { "ocelot.json": content, "ocelot.a.json": a, "ocelot.b.json": b },
      undefined,
      ["/a /b", ...told],
    ],
    [
      "leaves the file of an environment alone to be the configuration, whatever others lie beside it",
      { "ocelot.json": content, "ocelot.Development.json": a, "ocelot.Local.json": b },
      "Local",
      ["/b", ...told],
    ],
    [
      "does not choose among the files of environments",
      { "ocelot.json": content, "ocelot.Development.json": a },
      undefined,
      expect.stringContaining("file-of-environment ocelot.Development.json"),
    ],
    [
      "hides no other file of an environment where there are parts",
      { "ocelot.json": content, "ocelot.a.json": a, "ocelot.Development.json": b, "ocelot.Local.json": {} },
      "Local",
      "file-of-environment ocelot.Development.json",
    ],
  ];

  test.each(rows)("%s", async (_why, files, environmentName, expected) => {
    expect(await load(files, environmentName)).toEqual(expected);
  });
});

describe("Entries that are laid over nothing", () => {
  const global = { GlobalConfiguration: { Timeout: 3 } };
  const documents = { SwaggerEndPoints: [{ Key: "a", Config: [{ Version: "v1", Url: "http://a.internal/v1.json" }] }] };
  const keyed = { Routes: [route("/a", { SwaggerKey: "a" })] };
  const aggregate = { UpstreamPathTemplate: "/both", RouteKeys: ["x", "y"] };
  const parts = { Routes: [route("/x", { Key: "x" }), route("/y", { Key: "y" })] };
  const rows: readonly Row[] = [
    ["are new where there are no routes beneath", { "ocelot.json": global, "ocelot.Test.json": a }, "Test", ["/a"]],
    [
      "are new where there are no documents beneath",
      {
        "ocelot.json": keyed,
        "ocelot.Test.json": { Routes: [{ UpstreamPathTemplate: "/a", Timeout: 1 }], ...documents },
      },
      "Test",
      ["/a"],
    ],
    [
      "are none of them where there are other documents beneath",
      {
        "ocelot.json": { ...keyed, ...documents },
        "ocelot.Test.json": { SwaggerEndPoints: [{ ...documents.SwaggerEndPoints[0], Key: "b" }] },
      },
      "Test",
      "overlay-unmatched ocelot.Test.json",
    ],
    [
      "are not added to others that take requests, of whatever kind",
      { "ocelot.json": parts, "ocelot.Test.json": { Aggregates: [aggregate] } },
      "Test",
      "overlay-unmatched ocelot.Test.json",
    ],
    [
      "are told apart from each other",
      { "ocelot.json": global, "ocelot.Test.json": { Routes: [route("/a"), route("/a")] } },
      "Test",
      "route-repeated ocelot.Test.json",
    ],
  ];

  test.each(rows)("%s", async (_why, files, environmentName, expected) => {
    expect(await load(files, environmentName)).toEqual(expected);
  });

  test("are under what holds for all", async () => {
    const lock = { AuthenticationProviderKeys: ["Bearer"] };
    const folder = await writeFolder({
      "ocelot.json": { GlobalConfiguration: { AuthenticationOptions: lock } },
      "ocelot.Test.json": a,
    });
    const { stdout } = await run("routes", folder.path, "--environment", "Test");
    await folder.remove();
    expect(stdout).toMatch(/\/a +http:\/\/a\.internal:1\/a +Bearer$/m);
  });

  test("are what merge prints", async () => {
    const folder = await writeFolder({ "ocelot.json": "", "ocelot.Dev.json": b, "ocelot.Test.json": a });
    const { code, stdout } = await run("merge", folder.path, "--environment", "Test");
    await folder.remove();
    expect([code, JSON.parse(stdout)]).toEqual([0, a]);
  });
});

describe("The documents of SwaggerForOcelot, which it writes beside ocelot.json,", () => {
  const documents = { SwaggerEndPoints: [{ Key: "a", Config: [{ Version: "v1", Url: "http://a.internal/v1.json" }] }] };
  const keyed = { Routes: [route("/a", { SwaggerKey: "a" })] };
  const rows: readonly Row[] = [
    ["belong to it", { "ocelot.json": keyed, "ocelot.SwaggerEndPoints.json": documents }, undefined, ["/a"]],
    [
      "belong to the parts where there are some, and then it may be stale",
      { "ocelot.json": keyed, "ocelot.swaggerendpoints.json": documents, "ocelot.b.json": b },
      undefined,
      "file-superfluous ocelot.json",
    ],
    [
      "are joined with those that it says itself",
      { "ocelot.json": { ...keyed, ...documents }, "ocelot.SwaggerEndPoints.json": documents },
      undefined,
      "swagger-repeated ocelot.SwaggerEndPoints.json",
    ],
  ];

  test.each(rows)("%s", async (_why, files, environmentName, expected) => {
    expect(await load(files, environmentName)).toEqual(expected);
  });
});

test("A file that has become empty takes no lock with it at a reload", async () => {
  const options = { environmentName: "Test", logger: false } as const;
  const lock = { AuthenticationProviderKeys: ["Bearer"] };
  const folder = await writeFolder({
    "ocelot.json": { GlobalConfiguration: { AuthenticationOptions: lock } },
    "ocelot.Test.json": a,
  });
  const before = await loadConfig(folder.path, options);
  await folder.write({ "ocelot.json": "" });
  const after = await loadConfig(folder.path, options);
  await folder.remove();
  await expect(refuseLostLocks(before, after)).rejects.toMatchObject({ code: "reload-unlocks" });
});
