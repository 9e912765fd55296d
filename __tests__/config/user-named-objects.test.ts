import { afterAll, describe, expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "../../src/index.ts";
import { allSections } from "../../src/config/sections.ts";
import { run, writeFolder } from "../files/write-folder.ts";
import { route } from "./configurations.ts";

const records = allSections.flatMap(({ keys }) =>
  Object.entries(keys).flatMap(([name, { kind }]) => (kind === "record" ? [name] : [])),
);
const telling = ["Bearer", "Jwt", "ApiKey", "Token", "Keys", "IdentityServerKey", "client_secret", "Tokne"];
const places = records.flatMap((record) => telling.map((name) => [record, name] as const));

/** A configuration with something beside a fault, in one line and in several. */
function textsWith(record: string, objects: unknown): readonly string[] {
  const GlobalConfiguration = { DownstreamScheme: "ftp", [record]: objects };
  const configuration = { GlobalConfiguration, Routes: [route()] };
  return [JSON.stringify(configuration), JSON.stringify(configuration, undefined, 1)];
}

/** The message of the error, its problems and what is logged. */
function toldOf(input: unknown): string {
  const logged: string[] = [];
  const log = (problem: object, line: string): void => void logged.push(line, JSON.stringify(problem));
  try {
    parseConfig(input, { logger: { error: log, warn: log, info: log, debug: log } });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [error.message, JSON.stringify(error.problems), ...logged].join("\n");
  }
  throw new Error("The configuration was accepted.");
}

function expectHidden(input: unknown): void {
  expect(toldOf(input)).not.toMatch(/s3same/i);
}

describe("under a name of the user's own that sounds like a secret's", () => {
  test("the objects with such names are those of the schema", () => {
    expect(records).toEqual(expect.arrayContaining(["AuthenticationSchemes", "Providers"]));
  });

  test.each(places)("what is no secret is shown and quoted: %s.%s", (record, name) => {
    const texts = textsWith(record, { [name]: { Type: "Jwt", Port: "shown", Forward: "quoted", Issuer: "own" } });
    const told = toldOf(texts[1]);
    const quoted = record === "Providers" ? "shown" : "quoted";
    expect(told).toContain(`found "${quoted}"`);
    expect(told).toMatch(new RegExp(`^ +\\d+ \\| +"${record === "Providers" ? "Port" : "Forward"}": "${quoted}"`, "m"));
    expect(toldOf(JSON.parse(texts[0]!))).toContain(`found "${quoted}"`);
    if (record !== "Providers") expect(told).toContain(`"Issuer": "own"`);
  });

  test.each(places)("what is a secret by its own name stays hidden: %s.%s", (record, name) => {
    const secrets: readonly unknown[] = [
      ...["Secret", "ClientSecret", "SigningKey", "SigningKeys", "Token", "ClientSecert", "SigningKye", "Pasword"],
      "Sha256",
    ].flatMap((key) => [{ [key]: "s3same" }, { [key]: ["s3same"] }, { a: { [key]: { b: "s3same" } } }]);
    const keys = ["s3same", ["s3same"], [{ Name: "a", Key: "s3same" }], { a: "s3same" }].map((Keys) => ({ Keys }));
    for (const object of [...secrets, ...keys]) {
      for (const text of textsWith(record, { [name]: object })) [text, JSON.parse(text)].forEach(expectHidden);
    }
  });

  test.each(places)("what stands under no known name stays hidden: %s.%s", (record, name) => {
    for (const object of [{ Value: "s3same" }, { is: ["s3same"] }, { a: { b: "s3same" } }]) {
      for (const text of textsWith(record, { [name]: object })) [text, JSON.parse(text)].forEach(expectHidden);
    }
  });

  test.each(places)("a value that is no object stays hidden: %s.%s", (record, name) => {
    const values = ["s3same", ["s3same"], [["s3same"]], [{ a: "s3same" }]];
    for (const value of values) {
      for (const text of textsWith(record, { [name]: value, b: {} })) [text, JSON.parse(text)].forEach(expectHidden);
    }
  });
});

describe("an object with such a name hides all in it", () => {
  const objects = { Bearer: { Authority: "s3same", ApiKey: { a: ["s3same"] } } };

  test.each([
    ["elsewhere in the global section", { Schemes: objects, DownstreamScheme: "ftp" }],
    ["in an object of that name elsewhere", { Metadata: { AuthenticationSchemes: objects }, DownstreamScheme: "ftp" }],
    ["deeper", { AuthenticationSchemes: { a: objects }, DownstreamScheme: "ftp" }],
    ["in a list", { AuthenticationSchemes: [objects], DownstreamScheme: "ftp" }],
  ])("%s", (_where, GlobalConfiguration) => {
    expectHidden(JSON.stringify({ GlobalConfiguration, Routes: [route()] }));
    expectHidden({ GlobalConfiguration, Routes: [route()] });
  });

  test.each([
    ["a bracket is missing", `{ "GlobalConfiguration": { "AuthenticationSchemes": {}, "Tokens": { "db": "s3same" } }`],
    [
      "a bracket is missing in front",
      `{ "GlobalConfiguration": { "AuthenticationSchemes": { "a": {}, "ConnectionStrings": { "db": "s3same" } } }`,
    ],
    ["a comma is missing", `{ "GlobalConfiguration": { "AuthenticationSchemes": { "ApiKey": { "a" "s3same" } } } }`],
    ["a name is missing", `{ "GlobalConfiguration": { "AuthenticationSchemes": { "ApiKey": {\n"s3same" } } } }`],
  ])("where %s", (_fault, text) => {
    expectHidden(text);
  });
});

describe("in an overlay", () => {
  const AuthenticationSchemes = {
    Bearer: { Type: "Jwt", Issuer: "https://i.example", Audience: "a", ClientSecert: "s3same", Forward: "quoted" },
    ApiKey: "s3same",
  };
  const folder = writeFolder({
    "ocelot.json": { Routes: [route()], GlobalConfiguration: { AuthenticationSchemes: { Bearer: { Type: "Jwt" } } } },
    "ocelot.Production.json": JSON.stringify({ GlobalConfiguration: { AuthenticationSchemes } }, undefined, 1),
  });
  afterAll(async () => (await folder).remove());

  test("the same is hidden, and the same is shown", async () => {
    const { code, stdout, stderr } = await run("check", (await folder).path, "--environment", "Production");
    expect(code).not.toBe(0);
    const told = stdout + stderr;
    expect(told).toContain(`found "quoted"`);
    expect(told).toContain(`| ${" ".repeat(4)}"Forward": "quoted"`);
    expect(told).not.toContain("s3same");
  });
});
