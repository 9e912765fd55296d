import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "jsonc-parser";
import { createJsonSchema } from "../src/config/json-schema.ts";

const run = promisify(execFile);
const root = new URL("../", import.meta.url).pathname;
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "waymark-package-"));
  // What is checked here is what comes out; the sources' types are checked by `npm run types`.
  await run("npm", ["run", "build", "--", "--noCheck"], { cwd: root });
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
    cwd: root,
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "somebody", private: true }));
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  await run("npm", ["install", ...quiet, join(project, filename), "@types/node@^24"], {
    cwd: project,
  });
});

afterAll(() => rm(project, { recursive: true, force: true }));

async function runScript(name: string, script: string): Promise<string> {
  await writeFile(join(project, name), script);
  const { stdout } = await run(process.execPath, [name], { cwd: project });
  return stdout.trim();
}

const exported = "Object.keys(waymark).filter((name) => name.startsWith('create')).join()";

describe("the packed package, installed into an empty project", () => {
  test("is imported by an ES module", async () => {
    const printed = await runScript("esm.mjs", `import * as waymark from "waymark"; console.log(${exported});`);
    expect(printed).toBe("createAnswer,createGateway");
  });

  test("is required by a CommonJS module", async () => {
    const printed = await runScript("cjs.cjs", `const waymark = require("waymark"); console.log(${exported});`);
    expect(printed).toBe("createAnswer,createGateway");
  });

  test("brings the naming-service simulator", async () => {
    const printed = await runScript(
      "sim.mjs",
      `import * as waymark from "waymark/simulator"; console.log(${exported});`,
    );
    expect(printed).toContain("createNamingSimulator");
  });

  test("brings the program, whose first configuration it finds nothing wrong with", async () => {
    const program = join(project, "node_modules/.bin/waymark");
    await run(process.execPath, [program, "init"], { cwd: project });
    const { stdout } = await run(process.execPath, [program, "check", "--strict", "gateway.json"], { cwd: project });
    expect(stdout).toBe("gateway.json: no problems\n");
  });

  test("brings the JSON Schema where that configuration looks for it", async () => {
    const { $schema } = parse(await readFile(join(project, "gateway.json"), "utf8")) as { $schema: string };
    const schema = JSON.parse(await readFile(join(project, $schema), "utf8")) as object;
    expect(schema).toEqual(createJsonSchema());
  });

  test("compiles with its types, libraries checked", async () => {
    await writeFile(
      join(project, "app.ts"),
      `import express from "express";
import { createGateway, type GatewayHandler, parseConfig, problemDetails } from "waymark";
import { createNamingSimulator } from "waymark/simulator";

const requireRole: GatewayHandler = (req, res, next) => {
  const roles: readonly string[] = res.locals.route.getMetadata("roles", "string[]", []);
  return roles.every((role) => req.get("x-roles")?.includes(role)) ? next() : res.sendStatus(403);
};
const gateway = createGateway(parseConfig({ Routes: [] }), { middleware: [requireRole] });
const app = express();
app.use("/gw", gateway);
app.use(problemDetails({ logger: false }));
void createNamingSimulator;
void gateway.close({ grace: 1 });
`,
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node", "app.ts"];
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [compiler, ...options], { cwd: project }).catch((error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    });
  });
});
