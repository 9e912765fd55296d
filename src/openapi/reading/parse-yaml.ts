import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { GatewayError } from "../../errors.ts";
import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import type { DocumentFault } from "./document-fault.ts";
import { createDocumentTurns } from "../document-turns.ts";

/** What the process is asked: `within` so many milliseconds it has to be done. */
export type YamlQuestion = Readonly<{ path: string; text: string; within: number }>;

/** What it answers: the same as JSON, or why there is none. */
export type YamlAnswer = Readonly<{ json: string }> | DocumentFault;

const patienceMilliseconds = 10_000;
// They win over those of `NODE_OPTIONS`.
const heapFlags = ["--max-old-space-size=128", "--max-semi-space-size=16"];
// All documents of all gateways of the process share them.
const { inTurn } = createDocumentTurns(2);
const tooMuch: DocumentFault = { fault: "reading it as YAML takes too long, or too much memory: JSON takes less" };
const notStarted: DocumentFault = { fault: "no process can be started that reads it as YAML" };

const { resolve: resolvePath } = createRequire(import.meta.url);
// As a file it is beside this one, whether that was built or not.
const program = new URL(`./yaml-process${extname(import.meta.url)}`, import.meta.url);

/**
 * Makes JSON of YAML, in a process of its own: a megabyte of it takes seconds, in which no request would be served, and
 * V8 ends the process of a thread that has no memory left, whatever limits the thread has.
 */
export async function parseYaml(text: string): Promise<YamlAnswer> {
  const path = findYaml();
  return inTurn(() => askProcess({ path, text, within: patienceMilliseconds }));
}

async function askProcess(question: YamlQuestion): Promise<YamlAnswer> {
  const child = fork(program, {
    env: environment(),
    execArgv: heapFlags,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = new Promise<void>((resolve) => listenOnce(child, "exit", resolve));
  try {
    return await answerOf(child, question);
  } finally {
    // Its memory is free when it has ended, and the next one may begin.
    if (child.kill("SIGKILL")) await ended;
  }
}

function answerOf(child: ChildProcess, question: YamlQuestion): Promise<YamlAnswer> {
  return new Promise((resolve) => {
    const timer = after(question.within, () => settle(tooMuch));
    listenOnce(child, "message", settle);
    listenOnce(child, "exit", () => settle(tooMuch));
    // It may fail more than once: also what is still being written to it does so when it ends.
    listen(child, "error", () => settle(child.pid === undefined ? notStarted : tooMuch));
    // One that could not be started may have no channel.
    if (child.pid !== undefined) child.send(question);

    function settle(answer: YamlAnswer): void {
      clearTimeout(timer);
      resolve(answer);
    }
  });
}

/** What this process was started with (a debugger, profiles, telemetry) is not meant for that one; Yarn's PnP finds packages so. */
function environment(): NodeJS.ProcessEnv {
  return process.versions.pnp === undefined ? { ...process.env, NODE_OPTIONS: undefined } : process.env;
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
