import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AppName } from "./create-apps.ts";
import type { Answers, ProcessSettings } from "./gateway-process.ts";

type Answer<Question extends keyof Answers> = Awaited<ReturnType<Answers[Question]>>;

/** A gateway with everything on in a process of its own, so that its memory, handles and time are nobody else's. */
export type GatewayProcess = Readonly<{
  ports: Readonly<Record<AppName, number>>;
  /** One question after the other. */
  ask: <Question extends keyof Answers>(question: Question) => Promise<Answer<Question>>;
  stop: () => Promise<void>;
}>;

const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];

/** Starts one. */
export async function startGatewayProcess(settings: ProcessSettings): Promise<GatewayProcess> {
  const file = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
  const child = spawn(process.execPath, [...flags, file, JSON.stringify(settings)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ports = (await nextAnswer(child)) as GatewayProcess["ports"];
  return { ports, ask, stop };

  function ask<Question extends keyof Answers>(question: Question): Promise<Answer<Question>> {
    const answer = nextAnswer(child);
    child.send(question);
    return answer as Promise<Answer<Question>>;
  }

  async function stop(): Promise<void> {
    child.disconnect();
    if (child.exitCode === null) await once(child, "exit");
  }
}

async function nextAnswer(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController();
  const exit = once(child, "exit", { signal: gone.signal }).then(([code, signal]) => {
    throw new Error(`The gateway's process ended with ${code ?? signal}.`);
  });
  exit.catch(() => undefined);
  const [{ answer }] = (await Promise.race([once(child, "message"), exit])) as [{ answer: unknown }];
  gone.abort();
  return answer;
}
