import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

// Many tests start processes that load the sources: what V8 and the type stripper made of a file is kept between them.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "waymark-compile-cache");

export default {
  testMatch: ["**/__tests__/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "/dist/"],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "es6" } }],
  },
  testEnvironment: "node",
  // Long enough for a machine that has other work to do: what hangs is found all the same.
  testTimeout: 120_000,
  // Many tests wait for processes, clocks and sockets: a few workers more than cores leave no core unused.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};
