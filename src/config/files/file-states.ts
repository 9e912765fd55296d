import type { BigIntStats } from "node:fs";
import { lstat, readlink, stat } from "node:fs/promises";
import { join, parse, relative, resolve, sep } from "node:path";

const gone = "gone";
const mostLinks = 40;

/** Each link that was met, by its path; undefined for what is none. */
type MetLinks = Map<string, Promise<Link | undefined>>;

type Link = Readonly<{ target: string; state: string }>;

/** One line for each file that differs whenever the file does, or a link on the way to it. */
export async function statesOf(paths: readonly string[]): Promise<string> {
  const met: MetLinks = new Map();
  const states: string[] = [];
  for (const path of paths) states.push(await stateOf(path, met));
  return states.join("\n");
}

/** Another file, another time, another size. What is no file, a pipe say, is none. */
export function stateIn(found: BigIntStats): string {
  if (!found.isFile()) return gone;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return `${size} ${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
}

async function stateOf(path: string, met: MetLinks): Promise<string> {
  try {
    const state = stateIn(await stat(path, { bigint: true }));
    return state === gone ? gone : [state, ...(await linksTo(path, met))].join(" ");
  } catch {
    return gone;
  }
}

/** Whether none of the files is gone or empty: an empty one is most likely being written, and one that is gone replaced. */
export function isWhole(states: string): boolean {
  return states.split("\n").every((state) => state !== gone && !state.startsWith("0 "));
}

/** The links on the way to a file: one that was switched to and fro leads to the same file, and is another link. */
async function linksTo(path: string, met: MetLinks): Promise<readonly string[]> {
  const states: string[] = [];
  let [at, rest] = rootOf(resolve(path));
  while (rest.length > 0 && states.length < mostLinks) {
    const [name = "", ...others] = rest;
    const next = join(at, name);
    if (!met.has(next)) met.set(next, linkAt(next));
    const link = await met.get(next);
    if (link !== undefined) states.push(link.state);
    [at, rest] = link === undefined ? [next, others] : rootOf(resolve(at, link.target, ...others));
  }
  return states;
}

function rootOf(path: string): [root: string, names: readonly string[]] {
  const { root } = parse(path);
  return [root, relative(root, path).split(sep)];
}

async function linkAt(path: string): Promise<Link | undefined> {
  const found = await lstat(path, { bigint: true });
  if (!found.isSymbolicLink()) return undefined;
  return { target: await readlink(path), state: `${found.dev} ${found.ino} ${found.ctimeNs}` };
}
