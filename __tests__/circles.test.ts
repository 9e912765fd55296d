import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const source = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

const statement = /^(?:import|export) (type )?(?:(\{[^}]*\}|\*[^"]*) from )?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

type Import = Readonly<{ from: string; to: string; isType: boolean }>;

const imports = files.flatMap((from) =>
  [...readFileSync(join(source, from), "utf8").matchAll(statement)].map(([, type, names = "", path, later]): Import => {
    const isType = type !== undefined || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names);
    return { from, to: join(dirname(from), (path ?? later)!), isType };
  }),
);

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Who imports whom, where each file stands for what `nameOf` calls it. */
function graphOf(edges: readonly Import[], nameOf: (file: string) => string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [one, other] = [nameOf(from), nameOf(to)];
    if (one !== other) graph.set(one, (graph.get(one) ?? new Set<string>()).add(other));
  }
  return graph;
}

/** What is in a circle: each that can be reached from itself, without those that only lead into one. */
function findCircles(graph: Graph): string[] {
  const left = new Map([...graph].map(([name, others]) => [name, new Set(others)]));
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    const needed = new Set([...left.values()].flatMap((others) => [...others]));
    for (const [name, others] of left) {
      for (const other of others) if (!left.has(other)) others.delete(other);
      if (others.size === 0 || !needed.has(name)) left.delete(name);
    }
  }
  return [...left].flatMap(([name, others]) => [...others].map((other) => `${name} -> ${other}`)).toSorted();
}

/** A room is a folder of the source, or a capability; a file beside them is one of its own. */
function roomOf(file: string): string {
  const parts = file.split("/");
  return parts.slice(0, parts[0] === "capabilities" && parts.length > 2 ? 2 : 1).join("/");
}

test("no file imports itself by way of others, not even a type", () => {
  expect(imports.length).toBeGreaterThan(files.length);
  expect(findCircles(graphOf(imports, (file) => file))).toEqual([]);
});

// Types may come from anywhere: those of a configuration derive from the keys of every room, and all rooms read them.
test("no room uses itself by way of others", () => {
  const used = imports.filter(({ isType }) => !isType);
  expect(findCircles(graphOf(used, roomOf))).toEqual([]);
});
