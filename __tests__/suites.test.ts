import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { atTop } from "./docs/read-pages.ts";

/** Kinds of suites, by what stands before the ending of their files' names. */
const kinds = new Set(
  readdirSync(atTop("__tests__"), { recursive: true, encoding: "utf8" }).flatMap(
    (name) => /\.(?!d\.)(\w+)\.ts$/.exec(name)?.slice(1) ?? [],
  ),
);
const scripts = [...kinds].map((kind) => (kind === "test" ? "test" : `test:${kind}`)).toSorted();

test("suites of each kind have a script that runs them", () => {
  const { scripts: known } = JSON.parse(readFileSync(atTop("package.json"), "utf8")) as { scripts: object };
  expect(
    Object.keys(known)
      .filter((name) => /^test(:|$)/.test(name))
      .toSorted(),
  ).toEqual(scripts);
});

test("what must hold before a change lands runs suites of every kind", () => {
  const [, run = ""] = /^for script in (.+); do$/m.exec(readFileSync(atTop(".ci/run"), "utf8")) ?? [];
  expect(run.split(" ").toSorted()).toEqual(scripts);
});
