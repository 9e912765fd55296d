import { runInThisContext } from "node:vm";

/** What Jest calls `process` in tests is a copy, at which Node's own warnings and rejections never arrive. */
const realProcess = runInThisContext("process") as NodeJS.Process;

/** What disturbs the process: warnings, and rejections that nobody handles. */
export type Disturbances = Readonly<{ take: () => unknown[]; stop: () => void }>;

/** Notes what disturbs the process from now on. */
export function watchProcess(): Disturbances {
  const noted: unknown[] = [];
  // Of the modules that Jest runs on, Node says that they are experimental.
  const note = (disturbance: unknown): void => {
    if ((disturbance as Error | undefined)?.name !== "ExperimentalWarning") noted.push(disturbance);
  };
  realProcess.on("warning", note).on("unhandledRejection", note);
  return {
    take: () => noted.splice(0),
    stop: () => void realProcess.off("warning", note).off("unhandledRejection", note),
  };
}
