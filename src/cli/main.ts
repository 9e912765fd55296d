#!/usr/bin/env node
const oldest = { major: 22, minor: 15 };

const wrongVersion = findWrongVersion(process.versions.node);
if (wrongVersion === undefined) {
  // Only now: an older Node does not even know the syntax of these modules.
  const [{ createIo }, { runProgram }] = await Promise.all([import("./terminal-output.ts"), import("./program.ts")]);
  process.exitCode = await runProgram(process.argv.slice(2), createIo(process));
} else {
  process.stderr.write(`${wrongVersion}\n`);
  process.exitCode = 2;
}

/** Why the program does not run on a version of Node; undefined where it does. */
function findWrongVersion(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `waymark needs Node.js ${oldest.major}.${oldest.minor} or newer; this is ${version}.`;
}
