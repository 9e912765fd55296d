import { createRequire } from "node:module";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { GatewayError } from "../../errors.ts";
import { after, listenOnce } from "../../unattended/guarded.ts";
import type { DocumentFault } from "./document-fault.ts";
import { createDocumentTurns } from "../document-turns.ts";

/** What the thread is asked. */
export type YamlQuestion = Readonly<{ path: string; text: string }>;

/** What it answers: the same as JSON, or why there is none. */
export type YamlAnswer = Readonly<{ json: string }> | DocumentFault;

const mostYoungMegabytes = 16;
const patienceMilliseconds = 10_000;
const mostMegabytes = 128;
// All documents of all gateways of the process share them.
const { inTurn } = createDocumentTurns(2);
const tooMuch: DocumentFault = { fault: "reading it as YAML takes too long, or too much memory: JSON takes less" };

const { resolve: resolvePath } = createRequire(import.meta.url);
// As a file it is beside this one, whether that was built or not.
const program = new URL(`./yaml-worker${extname(import.meta.url)}`, import.meta.url);

/** Makes JSON of YAML, in a thread of its own: a megabyte of it takes seconds, in which no request would be served. */
export async function parseYaml(text: string): Promise<YamlAnswer> {
  const path = findYaml();
  return inTurn(() => askThread({ path, text }));
}

async function askThread(question: YamlQuestion): Promise<YamlAnswer> {
  const resourceLimits = { maxOldGenerationSizeMb: mostMegabytes, maxYoungGenerationSizeMb: mostYoungMegabytes };
  const worker = new Worker(program, {
    workerData: question,
    resourceLimits,
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  try {
    return await answerOf(worker);
  } finally {
    // Its memory is free when it has ended, and the next one may begin.
    await worker.terminate();
  }
}

function answerOf(worker: Worker): Promise<YamlAnswer> {
  return new Promise((resolve) => {
    const timer = after(patienceMilliseconds, () => settle(tooMuch));
    listenOnce(worker, "message", settle);
    for (const event of ["error", "exit"]) listenOnce(worker, event, () => settle(tooMuch));

    function settle(answer: YamlAnswer): void {
      clearTimeout(timer);
      resolve(answer);
    }
  });
}

/** Only those install yaml whose services write it. */
function findYaml(): string {
  try {
    return resolvePath("yaml");
  } catch (error) {
    throw new GatewayError("peer-missing", "OpenAPI documents in YAML need the package yaml: npm install yaml", {
      cause: error,
    });
  }
}
