// The `globalSetup` of jest.config.js: keeps what Node's type stripper makes of all sources in one file, for all processes.
// A process that finds, reads and strips a thousand files by itself needs twice the time to start.
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { packs, readPack, root } from "./load-packed.js";

export default function packSources() {
  tellNoExperiment();
  for (const pack of Object.values(packs)) renew(pack);
}

function renew({ folders, path }) {
  const before = readPack(path);
  const files = folders.flatMap(filesBelow);
  const after = Object.fromEntries(files.map((file) => [file, packFile(file, before[file])]));
  const isAsBefore = files.length === Object.keys(before).length && files.every((file) => after[file] === before[file]);
  if (!isAsBefore) writeAtOnce(path, JSON.stringify(after));
}

function filesBelow(folder) {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" });
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => new URL(name, new URL(folder, root)).href);
}

function packFile(file, before) {
  const { mtimeMs, size } = statSync(fileURLToPath(file));
  const version = `${mtimeMs} ${size} ${process.version}`;
  if (before?.version === version) return before;
  return { version, source: stripTypeScriptTypes(readFileSync(fileURLToPath(file), "utf8")) };
}

/** Another run may read the file at the same moment. */
function writeAtOnce(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}

/** Node strips the types of whatever it runs, and warns only of the function that does the same. */
function tellNoExperiment() {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  stripTypeScriptTypes("");
  process.emitWarning = emitWarning;
}
