#!/usr/bin/env node
import { findWrongVersion } from "../find-wrong-version.ts";

const wrongVersion = findWrongVersion(process.versions.node);
if (wrongVersion === undefined) {
  // Only now: an older Node does not even know the syntax of these modules.
  const [{ createIo }, { runProgram }] = await Promise.all([import("./terminal-output.ts"), import("./program.ts")]);
  process.exitCode = await runProgram(process.argv.slice(2), createIo(process));
} else {
  process.stderr.write(`${wrongVersion}\n`);
  process.exitCode = 2;
}
