import { stat } from "node:fs/promises";
import { after, every } from "../unattended/guarded.ts";
import { watchDirectories } from "./watch-directories.ts";

/** Watches until it is closed; keeps no process alive. */
export type FileWatcher = Readonly<{
  /** Watches these files as well, from now on and instead of those before: what they are at this moment is no change. */
  accompany: (companions: ReadonlySet<string>) => Promise<void>;
  /** Tells of the file once more when it is looked at the next time: what was told came to nothing. */
  tellAgain: () => void;
  close: () => void;
}>;

/** What has changed: besides the file perhaps, or without it, one of those that accompany it. */
export type FileChange = Readonly<{ ofCompanions: boolean }>;

/** Files, and their state when a change was last told. */
type Accompanying = Readonly<{ paths: ReadonlySet<string>; told: string }>;

// How long a file must stay as it is before it counts as written.
const settleMilliseconds = 50;
// An empty file is most likely one that is being written, and one that is gone is most likely being replaced.
const patientLooks = 20;

/**
 * Calls back at the start, and whenever a file has been changed and stays as it is for a moment; also when it is gone. It
 * is not the file that is watched, since editors replace it and a ConfigMap changes a link on the way to it, but the
 * directories on the way; and because not all file systems tell, it looks at the file every now and then.
 */
export function watchFile(path: string, interval: number, changed: (change: FileChange) => Promise<void>): FileWatcher {
  const directories = watchDirectories(lookSoon);
  let told: string | undefined;
  let accompanying: Accompanying = { paths: new Set(), told: "" };
  const hasSettled = createSettling();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isClosed = false;
  const poll = every(interval, lookSoon).unref();
  lookSoon();
  return { accompany, tellAgain: () => (told = undefined), close };

  async function accompany(paths: ReadonlySet<string>): Promise<void> {
    accompanying = { paths, told: await statesOf(paths) };
    lookSoon();
  }

  function lookSoon(): void {
    if (!isClosed) timer ??= after(settleMilliseconds, lookNow).unref();
  }

  function lookNow(): void {
    timer = undefined;
    if (looking !== undefined) lookSoon();
    else looking = look().finally(() => (looking = undefined));
  }

  async function look(): Promise<void> {
    const { paths, told: toldOfCompanions } = accompanying;
    await directories.follow([path, ...paths]);
    const state = await stateOf(path);
    const ofCompanions = await statesOf(paths);
    // Others accompany it by now.
    if (paths !== accompanying.paths) {
      lookSoon();
      return;
    }
    const changes = [state === told ? "" : state, ofCompanions === toldOfCompanions ? "" : ofCompanions].join("\n");
    const isSettled = hasSettled(changes);
    if (changes === "\n") return;
    if (!isSettled) {
      lookSoon();
      return;
    }
    told = state;
    accompanying = { paths, told: ofCompanions };
    await changed({ ofCompanions: ofCompanions !== toldOfCompanions });
  }

  function close(): void {
    isClosed = true;
    clearInterval(poll);
    clearTimeout(timer);
    directories.close();
  }
}

/** Tells whether what has changed is the same as before, and will most likely stay so. */
function createSettling(): (changes: string) => boolean {
  let latest: string | undefined;
  let looks = 0;
  return function hasSettled(changes) {
    looks = changes === latest ? looks + 1 : 0;
    latest = changes;
    return looks >= (isWhole(changes) ? 1 : patientLooks);
  };
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

async function statesOf(paths: ReadonlySet<string>): Promise<string> {
  const states: string[] = [];
  for (const path of paths) states.push(await stateOf(path));
  return states.join("\n");
}

function isWhole(states: string): boolean {
  return states.split("\n").every((state) => state !== gone && !state.startsWith("0 "));
}
