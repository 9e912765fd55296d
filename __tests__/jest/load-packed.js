// Makes this process load the project's sources from what `pack-sources.js` has packed: the same modules under the same
// URLs, by Node's own loader. What is not packed is loaded as ever.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder of the project. */
export const root = new URL("../../", import.meta.url).href;

const place = join(tmpdir(), `waymark-packed-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`);

/** What is packed where: what programs are made of, and what only suites load. */
export const packs = {
  programs: { folders: ["src/", "example-app/"], path: join(place, "programs.json") },
  suites: { folders: ["__tests__/"], path: join(place, "suites.json") },
};

/** The files of a pack by their URLs; none where it cannot be read. */
export function readPack(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

/** A suite that runs once more in this process, as it does when it is watched, may have changed since it was packed. */
const repeated = /\?.*:\d+$/;

/** Loads what is in some packs from there. */
export function loadPacked(...chosen) {
  const files = new Map(chosen.flatMap(({ path }) => Object.entries(readPack(path))));
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL } = context;
      const isOurs = specifier.startsWith(".") && parentURL?.startsWith(root) && !repeated.test(parentURL);
      if (!isOurs) return nextResolve(specifier, context);
      const { href } = new URL(specifier, parentURL);
      return files.has(href) ? { url: href, format: "module", shortCircuit: true } : nextResolve(specifier, context);
    },
    load(url, context, nextLoad) {
      const file = repeated.test(url) ? undefined : files.get(url.split("?", 1)[0]);
      return file === undefined
        ? nextLoad(url, context)
        : { format: "module", source: file.source, shortCircuit: true };
    },
  });
}
