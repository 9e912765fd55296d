// Runs a suite with Node's own loader, which also strips the types: a process loads the package and what it depends on
// once, for all suites that it runs. The files of __tests__ are loaded anew for each suite, so that what they hold at
// their top is the suite's own.
import { readFileSync } from "node:fs";
import { createRequire, flushCompileCache, registerHooks } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import circus from "jest-circus/runner";
import { endChildProcesses, forgetChildProcesses } from "./child-processes.js";
import { loadPacked, packs } from "./load-packed.js";

const here = new URL("./", import.meta.url).href;
const tests = new URL("../", import.meta.url).href;

const isMemory = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS)$/;

const runs = new Map();

/** What a module in the CommonJS format takes for given. */
const scope = ["exports", "require", "module", "__filename", "__dirname"];

const compiled = new Map();

/** What `@jest/globals` exports in the suite that runs. */
export let suiteGlobals;

loadPacked(packs.programs, packs.suites);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const suite = /\?suite=.+$/.exec(context.parentURL ?? "")?.[0];
    if (suite === undefined) return nextResolve(specifier, context);
    if (specifier === "@jest/globals") return { url: `${here}suite-globals.js${suite}`, shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    const isAnew = resolved.url.startsWith(tests) && !resolved.url.startsWith(here);
    return isAnew ? { ...resolved, url: resolved.url + suite } : resolved;
  },
});

/** The `testRunner` of jest.config.js: Jest's own, in this process instead of a context. */
export default async function runSuite(globalConfig, config, environment, runtime, testPath) {
  keepStacksCheap();
  const suite = nameSuite(testPath);
  const inProcess = {
    requireInternalModule: requireAnew,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule(path) {
      suiteGlobals = runtime.requireModuleOrMock(path, "@jest/globals");
      return import(pathToFileURL(path) + suite);
    },
  };
  const all = Object.assign(runtime, inProcess);
  // Those of Jest itself are there before.
  forgetChildProcesses();
  try {
    // Jest itself gets no message at the start and the end of each test: it would only count tests by them while a suite runs.
    const result = await circus.default(globalConfig, config, environment, all, testPath);
    const left = endChildProcesses();
    if (left.length > 0 && result.numFailingTests === 0) throw new Error(`Left running: ${left.join(", ")}`);
    return result;
  } finally {
    endChildProcesses();
    // At the end of the process it would take longer than Jest waits for that end.
    flushCompileCache();
  }
}

/** By its path, under which what V8 made of the suite is found in the next run as well; watched, it runs many times. */
function nameSuite(testPath) {
  const count = (runs.get(testPath) ?? 0) + 1;
  runs.set(testPath, count);
  return `?suite=${testPath.slice(fileURLToPath(tests).length)}${count > 1 ? `:${count}` : ""}`;
}

/** Jest lets each error collect a hundred lines and look for source maps; there are none, and errors are many here. */
function keepStacksCheap() {
  Error.stackTraceLimit = 20;
  delete Error.prepareStackTrace;
}

/** What describes tests remembers them: each suite gets one of its own, and the memory of the one before is freed. */
function requireAnew(path) {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (isMemory.test(symbol.description)) delete globalThis[symbol];
  }
  const module = { exports: {} };
  compiledOnce(path)(module.exports, createRequire(path), module, path, dirname(path));
  return module.exports;
}

/** To compile it for each suite would take longer than many suites. */
function compiledOnce(path) {
  if (!compiled.has(path)) compiled.set(path, compileFunction(readFileSync(path, "utf8"), scope, { filename: path }));
  return compiled.get(path);
}
