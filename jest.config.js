import { enableCompileCache } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

// What V8 and the type stripper made of a file is kept, for all processes of Jest and those that tests start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "waymark-compile-cache");
enableCompileCache(process.env.NODE_COMPILE_CACHE);

// Requests and answers die young: with more room for them, a worker spends an eighth less on collecting garbage.
process.execArgv.push("--max-semi-space-size=64");

export default {
  testMatch: ["**/__tests__/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/"],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  globalSetup: "<rootDir>/__tests__/jest/pack-sources.js",
  testEnvironment: "<rootDir>/__tests__/jest/environment.js",
  testRunner: "<rootDir>/__tests__/jest/run-suite.js",
  transform: {},
  injectGlobals: false,
  // Long enough for a machine that has other work to do: what hangs is found all the same.
  testTimeout: 120_000,
  // Half of the time tests wait for processes, clocks and sockets: more workers than cores leave no core unused.
  maxWorkers: availableParallelism() * 2 + 3,
  // On a busy machine a process with a large heap takes longer than half a second to end; one that hangs is told of all the same.
  workerGracefulExitTimeout: 10_000,
  testSequencer: "<rootDir>/__tests__/jest/longest-first.js",
};
