import { type FSWatcher, watch } from "node:fs";
import { lstat, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { listen } from "../unattended/guarded.ts";

/** Watches the directories on the way to some files, as far as there are any. */
type DirectoryWatcher = Readonly<{
  /** Finds out which directories these are at present, and watches no others any more. */
  follow: (paths: readonly string[]) => Promise<void>;
  close: () => void;
}>;

const mostLinks = 40;

/** Calls back whenever something changes in a directory on the way to a file; links on the way are followed. */
export function watchDirectories(changed: () => void): DirectoryWatcher {
  const watchers = new Map<string, FSWatcher>();
  let isClosed = false;
  return { follow, close };

  async function follow(paths: readonly string[]): Promise<void> {
    const found = await findDirectories(paths);
    for (const [name, watcher] of watchers) if (!found.has(name)) forget(name, watcher);
    if (isClosed) return;
    for (const [name, directory] of found) if (!watchers.has(name)) watchDirectory(name, directory);
  }

  function watchDirectory(name: string, directory: string): void {
    try {
      const watcher = watch(directory, { persistent: false }, changed);
      watchers.set(name, watcher);
      listen(watcher, "error", () => forget(name, watcher));
    } catch {
      // The directory has just gone, or the system watches no more of them: looking every now and then has to do.
    }
  }

  function forget(name: string, watcher: FSWatcher): void {
    watchers.delete(name);
    watcher.close();
  }

  function close(): void {
    isClosed = true;
    for (const [name, watcher] of watchers) forget(name, watcher);
  }
}

/** The directories in which something on the way to one of the files may change; under a name that another one in their place lacks. */
async function findDirectories(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const directories = new Set<string>();
  for (const path of paths) await addDirectoriesOnTheWay(resolve(path), directories);
  for (const directory of directories) {
    try {
      const real = await realpath(directory);
      const { dev, ino } = await stat(real);
      found.set(`${dev} ${ino} ${real}`, real);
    } catch {
      // The directory does not exist at present.
    }
  }
  return found;
}

/** Adds the directory of a file, those of the links that lead to it, and those of links among their parents. */
async function addDirectoriesOnTheWay(path: string, directories: Set<string>): Promise<void> {
  let at: string | undefined = path;
  for (let links = 0; at !== undefined && links < mostLinks; links += 1) {
    const directory = dirname(at);
    const parents = directories.has(directory) ? [] : parentsOf(at);
    directories.add(directory);
    for (const parent of parents) if (await isLink(parent)) directories.add(dirname(parent));
    at = await followLink(at);
  }
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...parentsOf(parent)];
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

async function followLink(path: string): Promise<string | undefined> {
  return readlink(path).then(
    (target) => resolve(dirname(path), target),
    () => undefined,
  );
}
