// Runs the blocks of the documentation whose files are its arguments. A block has ended by itself once nothing is under
// way any more; how it ended is written to the fourth stream, a line for each block. The first that fails is the last.
import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { closeAll } from "./block-setup.mjs";

const reports = 3;
const unsettledAwait = 13;
const files = process.argv.slice(2);
let output;
let isLoaded;
let isEnded = true;

for (const name of ["stdout", "stderr"]) {
  process[name].write = function note(text) {
    output[name] += text;
    return true;
  };
}

process.on("uncaughtException", fail);
process.on("beforeExit", () => {
  // Only what an event does is waited for.
  if (isEnded) setImmediate(begin);
  else end(isLoaded ? Number(process.exitCode ?? 0) : unsettledAwait);
});

function begin() {
  const file = files.shift();
  if (file === undefined) process.exit();
  output = { stdout: "", stderr: "" };
  [isLoaded, isEnded] = [false, false];
  process.exitCode = undefined;
  process.chdir(dirname(file));
  import(pathToFileURL(file)).then(() => (isLoaded = true), fail);
}

function fail(error) {
  output.stderr += inspect(error);
  end(1);
}

function end(code) {
  writeSync(reports, `${JSON.stringify({ code, ...output })}\n`);
  if (code !== 0) process.exit();
  isEnded = true;
  closeAll();
  // Whoever held a connection hears that it is closed before the next block begins.
  setImmediate(() => undefined);
}
