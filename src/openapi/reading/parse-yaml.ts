import { createRequire } from "node:module";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { GatewayError } from "../../errors.ts";
import { after, every, listenOnce } from "../../unattended/guarded.ts";
import type { DocumentFault } from "./document-fault.ts";
import { createDocumentTurns } from "../document-turns.ts";

/** What the thread is asked. */
export type YamlQuestion = Readonly<{ path: string; text: string }>;

/** What it answers: the same as JSON, or why there is none. */
export type YamlAnswer = Readonly<{ json: string }> | DocumentFault;

const mostYoungMegabytes = 16;
const patienceMilliseconds = 10_000;
const mostMegabytes = 128;
// V8 counts the young generation three times: twice its half spaces, and once what is new and large.
const mostHeapBytes = (mostMegabytes + 3 * mostYoungMegabytes) * 1_048_576;
const millisecondsBetweenLooks = 50;
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
    const looking = every(millisecondsBetweenLooks, () => void judgeHeap(worker, () => settle(tooMuch)));

    function settle(answer: YamlAnswer): void {
      clearTimeout(timer);
      clearInterval(looking);
      resolve(answer);
    }
  });
}

/** Where the process was started with `--max-old-space-size`, V8 takes that for each thread, and not the thread's own limit. */
async function judgeHeap(worker: Worker, refuse: () => void): Promise<void> {
  try {
    // Node 22.15 has no such function.
    const heap = await (worker as Partial<Pick<Worker, "getHeapStatistics">>).getHeapStatistics?.();
    if (heap !== undefined && heap.total_heap_size > mostHeapBytes) refuse();
  } catch {
    // The thread has ended.
  }
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
