/** What disturbs the process: warnings, and rejections that nobody handles. */
export type Disturbances = Readonly<{ take: () => unknown[]; stop: () => void }>;

/** Notes what disturbs the process from now on. */
export function watchProcess(): Disturbances {
  const noted: unknown[] = [];
  const note = (disturbance: unknown): void => void noted.push(disturbance);
  process.on("warning", note).on("unhandledRejection", note);
  return {
    take: () => noted.splice(0),
    stop: () => void process.off("warning", note).off("unhandledRejection", note),
  };
}
