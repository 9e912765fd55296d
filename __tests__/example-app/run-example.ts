import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { loadingPacked } from "../helpers/load-packed.ts";

const server = fileURLToPath(new URL("../../example-app/server.ts", import.meta.url));
/** Variables by which the example takes free ports. */
export const freePorts = {
  PORT: "0",
  NAMING_PORT: "0",
  DOWNSTREAM_PORT: "0",
  SECOND_DOWNSTREAM_PORT: "0",
  IDENTITY_PORT: "0",
  REGISTRY_PORT: "0",
};

/** What the example's process said and how it ended; `code` is null after a signal. */
export type Ended = Readonly<{ code: number | null; stdout: string; stderr: string }>;

export type RunningExample = Readonly<{
  /** Where the start page is, without a slash at the end. */
  origin: string;
  /** What stands in the terminal. */
  welcome: string;
  interrupt: () => Promise<Ended>;
}>;

type Process = Readonly<{
  output: Ended;
  ended: Promise<Ended>;
  interrupt: () => void;
  onOutput: (look: () => void) => void;
}>;

function start(environment: Readonly<Record<string, string>>): Process {
  const child = spawn(process.execPath, [...loadingPacked, server], {
    env: { ...process.env, ...freePorts, ...environment },
  });
  const output = { code: null as number | null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = once(child, "close").then(([code]) => Object.assign(output, { code: code as number | null }));
  return { output, ended, interrupt: () => child.kill("SIGINT"), onOutput: (look) => child.stdout.on("data", look) };
}

/** Runs the example as `npm start` does, at free ports unless told otherwise, until it ends by itself. */
export function runToItsEnd(environment: Readonly<Record<string, string>>): Promise<Ended> {
  return start(environment).ended;
}

/** Runs the example as `npm start` does, and waits for what it says in the terminal. */
export async function runExample(environment: Readonly<Record<string, string>> = {}): Promise<RunningExample> {
  const { output, ended, interrupt, onOutput } = start(environment);
  const greeted = new Promise<void>((resolve) => {
    onOutput(() => {
      if (output.stdout.includes("Ctrl+C")) resolve();
    });
  });
  await Promise.race([greeted, ended]);
  const origin = /http:\/\/localhost:\d+/.exec(output.stdout)?.[0];
  if (origin === undefined) throw new Error(`The example did not start:\n${output.stdout}${output.stderr}`);
  return {
    origin,
    welcome: output.stdout,
    interrupt() {
      interrupt();
      return ended;
    },
  };
}
