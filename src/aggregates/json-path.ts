import { isObject, type JsonObject } from "../json/json-object.ts";
import type { Steps } from "../time-slices.ts";

/** Finds the values that a path leads to, in the order in which they stand in the document. */
export type FindValues = (document: unknown) => Steps<readonly unknown[]>;

/** Goes from some values to others. */
type Step = (values: readonly unknown[]) => Steps<readonly unknown[]>;

/** Whether a step takes a value, by its name or place among the members or items where it stands. */
type Takes = (key: string, value: unknown, isItem: boolean) => boolean;

const membersOfStep = 64;

const word = String.raw`[^\s.[\]'"()?@$*,:]+`;
const texts = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const inBrackets = [
  String.raw`(?<all>\*)`,
  String.raw`(?<index>\d+)`,
  `(?<text>${texts})`,
  String.raw`\?\s*\(?\s*@(?<path>(?:\.${word})*)\s*==\s*(?<literal>${texts}|-?\d+(?:\.\d+)?|true|false|null)\s*\)?`,
].join("|");
const written = String.raw`(?<dots>\.\.?)?(?:(?<star>\*)|(?<name>${word})|\[\s*(?:${inBrackets})\s*\])`;

/** Reads a JSON path of names, indexes, `*`, `..` and filters by equality; undefined for any other. */
export function parseJsonPath(path: string): FindValues | undefined {
  const reading = new RegExp(written, "y");
  const steps: Step[] = [];
  reading.lastIndex = path.startsWith("$") ? 1 : 0;
  while (reading.lastIndex < path.length) {
    const isFirst = reading.lastIndex === 0;
    const groups = reading.exec(path)?.groups;
    if (groups === undefined || !hasItsDots(groups, isFirst)) return undefined;
    const takes = readTakes(groups);
    steps.push(groups.dots === ".." ? createDescent(takes) : createStep(takes));
  }
  if (steps.length === 0) return undefined;
  return function* findValues(document) {
    let values: readonly unknown[] = [document];
    for (const step of steps) values = yield* step(values);
    return values;
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** A name has a dot in front of it, and brackets have none: only a path that begins without `$` may begin with a name. */
function hasItsDots({ dots, name, star }: Groups, isFirst: boolean): boolean {
  const isBracket = name === undefined && star === undefined;
  return isBracket ? dots !== "." : dots !== undefined || isFirst;
}

function readTakes({ star, all, name, index, text, path, literal }: Groups): Takes {
  if (star !== undefined || all !== undefined) return () => true;
  if (index !== undefined) return (key, _value, isItem) => isItem && key === String(Number(index));
  if (literal !== undefined) return createFilter(path!.split(".").slice(1), literal);
  const wanted = name ?? readText(text!);
  return (key, _value, isItem) => !isItem && key === wanted;
}

function createFilter(names: readonly string[], literal: string): Takes {
  const wanted = /^['"]/.test(literal) ? readText(literal) : (JSON.parse(literal) as unknown);
  return (_key, value) => names.reduce(namedMember, value) === wanted;
}

function namedMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function readText(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/g, "$1");
}

function createStep(takes: Takes): Step {
  return function* step(values) {
    const found: unknown[] = [];
    for (const value of values) {
      if (!hasMembers(value)) continue;
      const isItem = Array.isArray(value);
      for (const [count, key] of Object.keys(value).entries()) {
        if (count % membersOfStep === 0) yield;
        const child = (value as JsonObject)[key];
        if (takes(key, child, isItem)) found.push(child);
      }
    }
    return found;
  };
}

/** Takes values at any depth, each once however many ways lead to it. */
function createDescent(takes: Takes): Step {
  return function* descend(values) {
    const found: unknown[] = [];
    // One value alone is a tree: a set of all that stands in it would take longer, and more memory, than the look itself.
    const seen = values.length > 1 ? new Set<object>() : undefined;
    let members = 0;
    for (const value of values) if (hasMembers(value)) yield* visit(value);
    return found;

    function* visit(value: object): Steps<void> {
      if (seen?.has(value) === true) return;
      seen?.add(value);
      const isItem = Array.isArray(value);
      for (const key of Object.keys(value)) {
        members += 1;
        if (members % membersOfStep === 0) yield;
        const child = (value as JsonObject)[key];
        if (takes(key, child, isItem)) found.push(child);
        if (hasMembers(child)) yield* visit(child);
      }
    }
  };
}

function hasMembers(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
