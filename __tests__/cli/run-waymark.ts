import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createIo } from "../../src/cli/terminal-output.ts";
import { runProgram } from "../../src/cli/program.ts";

/** The program's file, which loads `src/cli/main.ts` sooner than it loads by itself. */
export const waymarkMain = fileURLToPath(new URL("../helpers/packed-waymark.js", import.meta.url));

/** How a process ended. */
export type Ended = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/** Where a command runs, and by which program: this process's, unless another one is named. */
export type Place = Readonly<{
  cwd: string;
  env?: Readonly<Record<string, string>>;
  program?: string;
  input?: string;
}> &
  Readonly<{
    /** The file that a process writes to instead of a pipe that is read. */
    stdout?: number;
  }>;

/** A process of the program that goes on. */
export type RunningWaymark = Readonly<{
  pid: number;
  /** Waits for a line of the log, the past included, and returns it parsed. */
  line: (fits: (line: LogLine) => boolean) => Promise<LogLine>;
  /** Waits for something on stderr, the past included, and returns what the first group of the pattern finds. */
  complaint: (pattern: RegExp) => Promise<string>;
  signal: (signal: NodeJS.Signals) => void;
  ended: Promise<Ended>;
}>;

/** A line of the log of `waymark serve`. */
export type LogLine = Readonly<{ level: number; time: number; pid: number; msg: string }> &
  Readonly<Record<string, unknown>>;

const withoutColours = { FORCE_COLOR: undefined, NO_COLOR: undefined };

function start(
  words: readonly string[],
  { cwd, env = {}, program = process.execPath, stdout }: Place,
): { child: ChildProcess; output: { stdout: string; stderr: string } } {
  const child = spawn(program, [waymarkMain, ...words], {
    cwd,
    stdio: ["pipe", stdout ?? "pipe", "pipe"],
    env: { ...process.env, ...withoutColours, ...env },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return { child, output };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command that ends by itself as the program does, but in this process, which has loaded it already; one at a time,
 * as the process has one folder and one environment.
 */
export function runCommand(words: readonly string[], place: Place): Promise<Ended> {
  const ended = last.then(() => runInPlace(words, place));
  last = ended.catch(() => undefined);
  return ended;
}

async function runInPlace(words: readonly string[], { cwd, env = {}, input = "" }: Place): Promise<Ended> {
  const output = { stdout: "", stderr: "" };
  const before = { folder: process.cwd(), env: process.env };
  process.chdir(cwd);
  process.env = { ...process.env, ...withoutColours, ...env };
  try {
    const io = createIo({
      stdin: Readable.from([input]),
      stdout: collect("stdout"),
      stderr: collect("stderr"),
      env: process.env,
    });
    return { code: await runProgram(words, io), ...output };
  } finally {
    process.env = before.env;
    process.chdir(before.folder);
  }

  function collect(name: keyof typeof output): NodeJS.WriteStream {
    const stream = new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        output[name] += text;
        done();
      },
    });
    return stream as NodeJS.WriteStream;
  }
}

/** Runs the program as a process until it ends by itself. */
export async function runWaymark(words: readonly string[], place: Place): Promise<Ended> {
  const { child, output } = start(words, place);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

/** Starts the program as a process that goes on until it gets a signal. */
export function startWaymark(words: readonly string[], place: Place): RunningWaymark {
  const { child, output } = start(words, place);
  const ended = once(child, "close").then(([code]): Ended => ({ code: code as number | null, ...output }));
  return { pid: child.pid!, line, complaint, signal: (signal) => void child.kill(signal), ended };

  async function complaint(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(output.stderr);
      if (found !== null) return found[1]!;
      const end = await Promise.race([once(child.stderr!, "data"), ended]);
      if ("code" in end) throw new Error(`waymark ${words.join(" ")} ended:\n${output.stdout}${output.stderr}`);
    }
  }

  async function line(fits: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const lines = output.stdout.split("\n").slice(0, -1);
      const found = lines.map((text) => JSON.parse(text) as LogLine).find(fits);
      if (found !== undefined) return found;
      const end = await Promise.race([once(child.stdout!, "data"), ended]);
      if ("code" in end) throw new Error(`waymark ${words.join(" ")} ended:\n${output.stdout}${output.stderr}`);
    }
  }
}
