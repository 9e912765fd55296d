import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { runProgram } from "../../src/cli/program.ts";
import { sarifShape } from "./sarif-shape.ts";

const fixtures = fileURLToPath(new URL("../fixtures/config/", import.meta.url));
const folder = relative(process.cwd(), fixtures);
const files = readdirSync(fixtures).filter((name) => name.endsWith(".json"));

type Result = Readonly<{
  ruleId: string;
  ruleIndex: number;
  level: string;
  locations: [{ physicalLocation: { artifactLocation: { uri: string; index: number }; region?: object } }];
}>;
type SarifLog = Readonly<{
  runs: [{ tool: { driver: { rules: { id: string; defaultConfiguration: { level: string } }[] } }; results: Result[] }];
}>;
type JsonReport = Readonly<{ files: { file: string; problems: { severity: string; code: string; line: number }[] }[] }>;

async function check(format: string, ...paths: string[]) {
  const output = { code: -1, stdout: "", stderr: "" };
  output.code = await runProgram(["check", "--format", format, ...paths], {
    write: (text) => void (output.stdout += text),
    complain: (text) => void (output.stderr += text),
    style: (_format, text) => text,
    read: () => Promise.resolve(""),
    environment: {},
  });
  return output;
}

async function reportOn(...paths: string[]): Promise<JsonReport["files"]> {
  return (JSON.parse((await check("json", ...paths)).stdout) as JsonReport).files;
}

describe("waymark check, of all configurations of these tests", () => {
  test.each(files)(
    "tells of %s what is wrong with it, and ends with a line for it and with who may come in",
    async (name) => {
      const path = `${folder}/${name}`;
      const [report, text] = [await reportOn(path), await check("text", path)];
      const problems = report.flatMap((file) => file.problems);
      const errors = problems.filter(({ severity }) => severity === "error").map(({ code, line }) => `${line} ${code}`);
      const end = text.stdout.split("\n\n").at(-1)!;

      expect({ code: text.code, stderr: text.stderr }).toEqual({ code: errors.length > 0 ? 1 : 0, stderr: "" });
      expect(errors).toEqual(name === "ten-mistakes.json" ? tenMistakes : []);
      expect(end.split("\n").filter((line) => /^\S/.test(line))).toEqual([`${path}: ${countOf(problems)}`]);
      expect(text.stdout.match(/ \((?:[a-z]+-)+[a-z]+\)$/gm) ?? []).toHaveLength(problems.length);
    },
  );

  test("writes SARIF that says the same as its JSON", async () => {
    const paths = [`${folder}/ten-mistakes.json`, `${fixtures}ocelot-keys.json`];
    const sarif = await check("sarif", ...paths);
    const log = JSON.parse(sarif.stdout) as SarifLog;
    const [{ tool, results }] = log.runs;
    const validate = new Ajv({ allErrors: true }).compile(sarifShape);
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
    expect(sarif.code).toBe(1);
    const rules = tool.driver.rules;
    expect(results.map(({ ruleIndex }) => rules[ruleIndex]!.id)).toEqual(results.map(({ ruleId }) => ruleId));
    expect(results.map(({ ruleIndex }) => rules[ruleIndex]!.defaultConfiguration.level)).toEqual(
      results.map(({ level }) => level),
    );
    const places = results.map(({ locations: [{ physicalLocation }] }) => physicalLocation);
    const inJson = (await reportOn(...paths)).flatMap(({ file, problems }) => problems.map(() => file));
    const uris = inJson.map((file) => (file.startsWith("/") ? pathToFileURL(file).href : file));
    expect(places.map(({ artifactLocation: { uri } }) => uri)).toEqual(uris);
    expect(new Set(uris).size).toBe(2);
    expect(results.find(({ ruleId }) => ruleId === "method-unknown")).toEqual({
      ruleId: "method-unknown",
      ruleIndex: expect.any(Number),
      level: "error",
      message: { text: 'expected a method of HTTP, such as GET, found "GETT" – did you mean "GET"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: paths[0], index: 0 },
            region: { startLine: 7, startColumn: 31, endColumn: 37 },
          },
          logicalLocations: [{ fullyQualifiedName: "Routes[0].DownstreamHttpMethod" }],
        },
      ],
    });
  });

  test("writes SARIF of a file that is not there, under its name", async () => {
    const { code, stdout } = await check("sarif", "not there.json");
    const [{ results }] = (JSON.parse(stdout) as SarifLog).runs;

    expect(code).toBe(2);
    expect(results.map(({ locations: [{ physicalLocation }] }) => physicalLocation)).toEqual([
      { artifactLocation: { uri: "not%20there.json", index: 0 } },
    ]);
  });
});

test("waymark check tells of aggregates and listed services who may come in, and which of them a route shadows", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-check-"));
  const hosts = { DownstreamHostAndPorts: [{ Host: "h.internal" }] };
  const lists = { SecurityOptions: { IPAllowedList: ["10.0.0.0/8"] } };
  const written = {
    Routes: [
      { ...hosts, ...lists, Key: "a", UpstreamPathTemplate: "/a/{id}", DownstreamPathTemplate: "/{id}" },
      { ...hosts, Key: "b", UpstreamPathTemplate: "/b/{id}", DownstreamPathTemplate: "/{id}" },
      { ...hosts, Key: "all", UpstreamPathTemplate: "/shop/{rest}", DownstreamPathTemplate: "/{rest}" },
    ],
    Aggregates: [
      { Key: "page", UpstreamPathTemplate: "/page/{id}", RouteKeys: ["a", "b"] },
      { Key: "dead", UpstreamPathTemplate: "/shop/{id}/all", RouteKeys: ["a", "b"] },
    ],
    DynamicRoutes: [{ ServiceName: "orders", ...lists }, { ServiceName: "shop" }],
    GlobalConfiguration: { ServiceDiscoveryProvider: { Host: "consul.internal" } },
  };
  const file = join(folder, "gateway.json");
  await writeFile(file, JSON.stringify(written));
  const { stdout } = await check("text", file);
  await rm(folder, { recursive: true });

  expect(stdout).toContain("GET /page/{id}        a: anybody, only from 10.0.0.0/8; b: anybody\n");
  expect(stdout).toContain("/orders/{everything}  anybody, only from 10.0.0.0/8\n");
  expect(stdout).toContain('Aggregates[1] "/shop/{id}/all" is never reached: Routes[2] "/shop/{rest}" comes first');
  expect(stdout).toContain(
    'DynamicRoutes[1] "/shop/{everything}" is never reached: Routes[2] "/shop/{rest}" comes first',
  );
  expect(stdout).toContain("services stand behind all routes: let that one take less");
});

describe("waymark check tells what only code can supply", () => {
  const hosts = { DownstreamHostAndPorts: [{ Host: "h.internal" }] };
  const at = (path: string, more: object) => ({
    ...hosts,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: "/",
    ...more,
  });

  test.each<[what: string, written: object, tells: string]>([
    [
      "handlers, each once",
      {
        Routes: [
          at("/a", { DelegatingHandlers: ["Audit", "AuthenticationDelegate"] }),
          at("/b", { DelegatingHandlers: ["Audit"] }),
        ],
      },
      '    namedHandlers: "Audit", "AuthenticationDelegate"\n',
    ],
    [
      "a balancer for all routes",
      { Routes: [at("/a", {})], GlobalConfiguration: { LoadBalancerOptions: { Type: "ByRegion" } } },
      '    balancers: "ByRegion"\n',
    ],
    [
      "an aggregator",
      {
        Routes: [at("/a", { Key: "a" }), at("/b", { Key: "b" })],
        Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys: ["a", "b"], Aggregator: "Merge" }],
      },
      '    aggregators: "Merge"\n',
    ],
  ])("%s", async (_what, written, tells) => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-check-"));
    const file = join(folder, "gateway.json");
    await writeFile(file, JSON.stringify(written));
    const { code, stdout } = await check("text", file);
    await rm(folder, { recursive: true });

    expect(code).toBe(0);
    expect(stdout.split("It starts only with what these options of createGateway() supply:\n")[1]).toBe(tells);
  });

  test("and nothing where the file has all that it names", async () => {
    const { stdout } = await check("text", `${folder}/sample-basic.json`);
    expect(stdout).not.toContain("createGateway");
  });
});

/** Line and code of each problem that the text beside the configuration lists. */
const tenMistakes = [
  ...readFileSync(`${fixtures}ten-mistakes.txt`, "utf8").matchAll(/^gateway\.json:(\d+):\d+ .*\((.*)\)$/gm),
].map(([, line, code]) => `${line} ${code}`);

function countOf(problems: readonly { severity: string }[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const counts = [
    ...(errors === 0 ? [] : [errors === 1 ? "1 error" : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? "1 warning" : `${warnings} warnings`]),
  ];
  return counts.length === 0 ? "no problems" : counts.join(", ");
}
