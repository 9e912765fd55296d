import { stat } from "node:fs/promises";
import { after, every } from "../unattended/guarded.ts";
import { watchDirectoriesOf } from "./watch-directories.ts";

/** Watches until it is closed; keeps no process alive. */
export type FileWatcher = Readonly<{ close: () => void }>;

// How long a file must stay as it is before it counts as written.
const settleMilliseconds = 50;
// An empty file is most likely one that is being written, and one that is gone is most likely being replaced.
const patientLooks = 20;

/**
 * Calls back at the start, and whenever a file has been changed and stays as it is for a moment; also when it is gone. It
 * is not the file that is watched, since editors replace it and a ConfigMap changes a link on the way to it, but the
 * directories on the way; and because not all file systems tell, it looks at the file every now and then.
 */
export function watchFile(path: string, interval: number, changed: () => Promise<void>): FileWatcher {
  const directories = watchDirectoriesOf(path, lookSoon);
  let told: string | undefined;
  let latest: string | undefined;
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;
  const poll = every(interval, lookSoon).unref();
  lookSoon();
  return { close };

  function lookSoon(): void {
    if (!isClosed) timer ??= after(settleMilliseconds, lookNow).unref();
  }

  function lookNow(): void {
    timer = undefined;
    if (looking !== undefined) lookSoon();
    else looking = look().finally(() => (looking = undefined));
  }

  async function look(): Promise<void> {
    await directories.follow();
    const state = await stateOf(path);
    looks = state === latest ? looks + 1 : 0;
    latest = state;
    if (state === told) return;
    if (looks < (isWhole(state) ? 1 : patientLooks)) {
      lookSoon();
      return;
    }
    told = state;
    await changed();
  }

  function close(): void {
    isClosed = true;
    clearInterval(poll);
    clearTimeout(timer);
    directories.close();
  }
}

const gone = "gone";

/** Differs whenever the file does: another one, another time, another size. What is no file, a pipe say, is none. */
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

function isWhole(state: string): boolean {
  return state !== gone && !state.startsWith("0 ");
}
