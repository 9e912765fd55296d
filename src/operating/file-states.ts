import { stat } from "node:fs/promises";

const gone = "gone";

/** One line for each file that differs whenever the file does. */
export async function statesOf(paths: readonly string[]): Promise<string> {
  const states: string[] = [];
  for (const path of paths) states.push(await stateOf(path));
  return states.join("\n");
}

/** Another file, another time, another size. What is no file, a pipe say, is none. */
async function stateOf(path: string): Promise<string> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) return gone;
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    return `${size} ${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return gone;
  }
}

/** Whether none of the files is gone or empty: an empty one is most likely being written, and one that is gone replaced. */
export function isWhole(states: string): boolean {
  return states.split("\n").every((state) => state !== gone && !state.startsWith("0 "));
}
