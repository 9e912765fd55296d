import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { atTop } from "../docs/read-pages.ts";

const run = promisify(execFile);

type Manifest = Readonly<{
  bin: Readonly<Record<string, string>>;
  dependencies: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
  peerDependencies: Readonly<Record<string, string>>;
  peerDependenciesMeta: Readonly<Record<string, { optional?: boolean }>>;
}>;

/** The package's own description. */
export const manifest = JSON.parse(readFileSync(atTop("package.json"), "utf8")) as Manifest;

const peers = Object.keys(manifest.peerDependencies);

/** What the package can do without. */
export const optionalPeers = peers.filter((name) => manifest.peerDependenciesMeta[name]?.optional === true);

const needed = [...Object.keys(manifest.dependencies), ...peers.filter((name) => !optionalPeers.includes(name))];

/** Packs the package and installs it, with what it says that it needs and nothing else, into a folder that it returns. */
export async function installPackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-package-"));
  refusePackagesAbove(folder);
  // What is checked here is what comes out; the sources' types are checked by `npm run types`.
  if (!isBuilt()) await run("npm", ["run", "build", "--", "--noCheck"], { cwd: atTop(".") });
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: atTop("."),
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const installed = join(folder, "node_modules/waymark");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"]);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "somebody", private: true }));
  await linkPackages(folder, [...needed, "@types/node"]);
  await mkdir(join(folder, "node_modules/.bin"));
  for (const [name, file] of Object.entries(manifest.bin)) {
    await symlink(join(installed, file), join(folder, "node_modules/.bin", name));
  }
  return folder;
}

/** Packages that lie above a folder are found from within it, even those that are not to be there. */
function refusePackagesAbove(folder: string): void {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    const packages = join(above, "node_modules");
    if (existsSync(packages))
      throw new Error(`Remove ${packages}: an empty project in ${folder} would find what is there.`);
  }
}

/** Puts packages of this project into a folder as they are: no network is needed, and no time. */
export async function linkPackages(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(atTop(`node_modules/${name}`), place);
  }
}

/** Whether what is built is newer than all of the sources, and of them alone. */
function isBuilt(): boolean {
  // Declarations are built from nothing, and nothing is built from them.
  const sources = filesBelow("src").filter((name) => !name.endsWith(".d.ts"));
  const built = filesBelow("dist");
  const expected = sources.flatMap((name) => [name.replace(/\.ts$/, ".js"), name.replace(/\.ts$/, ".d.ts")]);
  if (built.toSorted().join() !== expected.toSorted().join()) return false;
  const newestSource = Math.max(
    ...sources.map((name) => timeOf(`src/${name}`)),
    timeOf("tsconfig.json"),
    timeOf("tsconfig.build.json"),
  );
  return built.every((name) => timeOf(`dist/${name}`) > newestSource);
}

function filesBelow(folder: string): string[] {
  try {
    const entries = readdirSync(atTop(folder), { recursive: true, encoding: "utf8" });
    return entries.filter((name) => /\.[jt]s$/.test(name));
  } catch {
    return [];
  }
}

function timeOf(path: string): number {
  return statSync(atTop(path)).mtimeMs;
}
