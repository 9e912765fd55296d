import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "jsonc-parser";
import { createJsonSchema } from "../src/config/json-schema.ts";
import { readPages } from "./docs/read-pages.ts";
import { compile, type Complaints, writeBlocks } from "./package/compile.ts";
import { installPackage, linkPackages, manifest, optionalPeers } from "./package/install-package.ts";

const run = promisify(execFile);
let project: string;

beforeAll(async () => {
  project = await installPackage();
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

  test("needs jose only where tokens are checked, and says how to install it", async () => {
    const script = `import "waymark"; import { jwtBearer } from "waymark/jwt";
      try { jwtBearer({ issuer: "https://login.example.org", audience: "api" }); }
      catch ({ code, message }) { console.log(code, message); }`;
    expect(await runScript("jwt.mjs", script)).toMatch(/^peer-missing .*npm install jose$/);
  });

  test("needs yaml only where a service has its OpenAPI document in YAML, and says how to install it", async () => {
    const script = `import http from "node:http";
      import { createGateway, parseConfig } from "waymark";
      import { openApiDocuments } from "waymark/openapi";
      const listen = (handler) => new Promise((resolve) => {
        const server = http.createServer(handler).listen(0, "127.0.0.1", () => resolve(server));
      });
      const ignore = () => undefined;
      const warn = (fields, message) => console.log(message);
      const logger = { error: ignore, warn, info: ignore, debug: ignore };
      const originOf = (server) => "http://127.0.0.1:" + server.address().port;
      const service = await listen((req, res) => res.end("openapi: 3.0.0"));
      const SwaggerEndPoints = [{ Key: "shop", Config: [{ Url: originOf(service) + "/openapi.yaml" }] }];
      const gateway = createGateway(parseConfig({ Routes: [], SwaggerEndPoints }, { logger: false }), { logger });
      const server = await listen(openApiDocuments(gateway));
      const answer = await fetch(originOf(server) + "/docs/v1/shop");
      console.log(answer.status, (await answer.json()).code);
      for (const one of [server, service]) one.close().closeAllConnections();
      await gateway.close({ grace: 0 });`;
    expect(await runScript("yaml.mjs", script)).toMatch(/npm install yaml\n500 peer-missing$/);
  });

  test("brings the program, whose first configuration it finds nothing wrong with", async () => {
    const program = join(project, "node_modules/.bin/waymark");
    await run(process.execPath, [program, "init"], { cwd: project });
    const { stdout } = await run(process.execPath, [program, "check", "--strict", "gateway.json"], { cwd: project });
    expect(stdout).toBe("gateway.json: no problems\n  Anybody may come in, on every route.\n");
  });

  test("brings the JSON Schema where that configuration looks for it", async () => {
    const { $schema } = parse(await readFile(join(project, "gateway.json"), "utf8")) as { $schema: string };
    const schema = JSON.parse(await readFile(join(project, $schema), "utf8")) as object;
    expect(schema).toEqual(createJsonSchema());
  });
});

const app = `import express from "express";
import { createGateway, type GatewayHandler, parseConfig, problemDetails } from "waymark";
import { jwtBearer } from "waymark/jwt";
import { createNamingSimulator } from "waymark/simulator";

const requireRole: GatewayHandler = (req, res, next) => {
  const roles: readonly string[] = res.locals.route.getMetadata("roles", "string[]", []);
  return roles.every((role) => req.get("x-roles")?.includes(role)) ? next() : res.sendStatus(403);
};
const Bearer = jwtBearer({ issuer: "https://login.example.org", audience: ["api"], requiredClaims: { tid: "1" } });
const gateway = createGateway(parseConfig({ Routes: [] }), { middleware: [requireRole], authentication: { Bearer } });
const app = express();
app.use("/gw", gateway);
app.use(problemDetails({ logger: false }));
void createNamingSimulator;
void gateway.close({ grace: 1 });
`;

describe("a strict TypeScript project that uses the package compiles", () => {
  let appFile: string;
  let blockFiles: string[];
  let complaints: Complaints;
  beforeAll(async () => {
    appFile = join(project, "app.mts");
    await writeFile(appFile, app);
    await linkPackages(project, optionalPeers);
    // The documentation uses other packages as well.
    const reader = join(project, "reader");
    await linkPackages(reader, Object.keys(manifest.devDependencies));
    blockFiles = await writeBlocks(readPages(), reader);
    complaints = compile([appFile, ...blockFiles]);
  });

  test("with its types", () => {
    expect(complaints.of([appFile])).toEqual([]);
  });

  test("with its libraries checked", () => {
    expect(complaints.ofLibraries()).toEqual([]);
  });

  test("with each TypeScript block of the documentation", () => {
    expect(blockFiles.length).toBeGreaterThan(20);
    expect(complaints.of(blockFiles)).toEqual([]);
  });
});
