import { statesOf } from "../config/files/file-states.ts";
import { scheduleLooks } from "./schedule-looks.ts";
import { createSettling, type Patience } from "./wait-until-files-settle.ts";
import { watchDirectories } from "./watch-directories.ts";

/** Watches until it is closed; keeps no process alive. */
export type FileWatcher = Readonly<{
  /** Watches these files as well, from now on and instead of those before: what they are at this moment is no change. */
  accompany: (companions: ReadonlySet<string>) => Promise<void>;
  /** These files are there: one that is gone is waited for. */
  expect: (paths: readonly string[]) => void;
  /** Tells of the files once more when they are looked at the next time: what was told came to nothing. */
  tellAgain: () => void;
  close: () => void;
}>;

/** What has changed: besides the files perhaps, or without them, one of those that accompany them. */
export type FileChange = Readonly<{
  ofCompanions: boolean;
  /** Whether the files are still what they were when the change was told. */
  isStill: () => Promise<boolean>;
}>;

/** What is watched at present: files, places where others may come to lie, and how long changes may take. */
export type Found = Readonly<{ paths: readonly string[]; places: readonly string[]; patience: Patience }>;

/** How to find what is watched, and how often to look where the file system tells nothing. */
type Watched = Readonly<{ find: () => Promise<Found>; interval: number }>;

/** Files, and their state when a change was last told. */
type Accompanying = Readonly<{ paths: ReadonlySet<string>; told: string }>;

/**
 * Calls back at the start, and whenever files have been changed and stay as they are for a moment; also when one is gone.
 * It is not the files that are watched, since editors replace them and a ConfigMap changes a link on the way to them, but
 * the directories on the way; and because not all file systems tell, it looks at the files every now and then.
 */
export function watchFiles({ find, interval }: Watched, changed: (change: FileChange) => Promise<void>): FileWatcher {
  const directories = watchDirectories(() => looks.soon());
  let told: string | undefined;
  let expected: readonly string[] = [];
  let accompanying: Accompanying = { paths: new Set(), told: "" };
  const hasSettled = createSettling();
  const looks = scheduleLooks(interval, look);
  return {
    accompany,
    expect: (paths) => void (expected = paths),
    tellAgain: () => (told = undefined),
    close() {
      looks.close();
      directories.close();
    },
  };

  async function accompany(paths: ReadonlySet<string>): Promise<void> {
    accompanying = { paths, told: await statesOf([...paths]) };
    looks.soon();
  }

  async function look(): Promise<void> {
    const { paths, told: toldOfCompanions } = accompanying;
    const found = await find();
    await directories.follow([...found.paths, ...found.places, ...paths]);
    const state = await stateOf(found, expected);
    const ofCompanions = await statesOf([...paths]);
    // Others accompany them by now.
    if (paths !== accompanying.paths) {
      looks.soon();
      return;
    }
    const changes = [state === told ? "" : state, ofCompanions === toldOfCompanions ? "" : ofCompanions].join("\n");
    const isSettled = hasSettled(changes, found.patience);
    if (changes === "\n") return;
    if (!isSettled) {
      looks.soon();
      return;
    }
    told = state;
    accompanying = { paths, told: ofCompanions };
    await changed({ ofCompanions: ofCompanions !== toldOfCompanions, isStill });

    async function isStill(): Promise<boolean> {
      if ((await stateOf(await find(), expected)) === state) return true;
      // Nothing came of what was told: the files may be the same again before the next look.
      told = undefined;
      if (paths === accompanying.paths) accompanying = { paths, told: toldOfCompanions };
      looks.soon();
      return false;
    }
  }
}

/** What is there, and what is not there any more. */
async function stateOf({ paths }: Found, expected: readonly string[]): Promise<string> {
  const gone = expected.filter((path) => !paths.includes(path));
  return `${JSON.stringify(paths)}\n${await statesOf([...paths, ...gone])}`;
}
