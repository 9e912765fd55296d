import type { Command } from "./command.ts";

/** How each command of the program is loaded, in the order of the help: none waits for what another one is made of. */
const loaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["serve", async () => (await import("./serve.ts")).serve],
  ["check", async () => (await import("./check.ts")).check],
  ["explain", async () => (await import("./explain.ts")).explain],
  ["routes", async () => (await import("./routes.ts")).routes],
  ["diff", async () => (await import("./diff.ts")).diff],
  ["merge", async () => (await import("./merge.ts")).merge],
  ["schema", async () => (await import("./schema.ts")).schema],
  ["init", async () => (await import("./init.ts")).init],
]);

/** The names of the commands, in the order of the help. */
export const commandNames: readonly string[] = [...loaders.keys()];

/** The command of a name; undefined where there is none. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return loaders.get(name)?.();
}

/** Every command, for the help. */
export async function loadCommands(): Promise<readonly Command[]> {
  return Promise.all([...loaders.values()].map((load) => load()));
}
