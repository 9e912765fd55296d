import { OverloadError, RequestError, type GatewayError } from "../errors.ts";
import { addNewest, createByAge, removeAged } from "../by-age.ts";
import { inPresentContext } from "../in-present-context.ts";
import { every } from "../unattended/guarded.ts";

/** A decompressor that may hold a window of so many bytes. */
export type WindowHolder = Readonly<{
  bytes: number;
  /** When its reader began to take nothing; undefined while it takes what it gets. */
  leftAloneSince: () => number | undefined;
  giveUp: (reason: GatewayError) => void;
}>;

/** The memory that the windows of all decompressors at work have together. */
export type RoomForWindows = Readonly<{
  /** Calls back as soon as there is room for the holder's window: at once, where it has it already. */
  enter: (holder: WindowHolder, begin: () => void) => void;
  leave: (holder: WindowHolder) => void;
}>;

type Waiting = Readonly<{ holder: WindowHolder; begin: () => void; since: number }>;

const millisecondsBetweenLooks = 250;
const mostMillisecondsLeftAlone = 5_000;
const patienceMilliseconds = 20_000;

/**
 * Makes room for windows of so many bytes. Who finds no room waits, and while somebody waits, nobody keeps a window for a
 * client that reads nothing: clients that do not read would otherwise hold all of the room, or as much memory as they like.
 */
export function createRoomForWindows(mostBytes: number): RoomForWindows {
  const inside = new Set<WindowHolder>();
  const waiting = createByAge<Waiting, WindowHolder>();
  let free = mostBytes;
  let looking: NodeJS.Timeout | undefined;
  return { enter, leave };

  function enter(holder: WindowHolder, begin: () => void): void {
    if (inside.has(holder)) return begin();
    const run = inPresentContext();
    addNewest(waiting, holder, { holder, begin: () => run(begin), since: performance.now() });
    letNextIn();
  }

  function leave(holder: WindowHolder): void {
    removeAged(waiting, holder);
    if (inside.delete(holder)) free += holder.bytes;
    letNextIn();
  }

  function letNextIn(): void {
    while (waiting.oldest !== undefined && waiting.oldest.value.holder.bytes <= free) {
      const { holder, begin } = waiting.oldest.value;
      removeAged(waiting, holder);
      free -= holder.bytes;
      inside.add(holder);
      begin();
    }
    if (waiting.oldest !== undefined) looking ??= every(millisecondsBetweenLooks, look).unref();
    else if (looking !== undefined) {
      clearInterval(looking);
      looking = undefined;
    }
  }

  function look(): void {
    giveUpUnread(inside, () => waiting.oldest !== undefined);
    const long = performance.now() - patienceMilliseconds;
    while (waiting.oldest !== undefined && waiting.oldest.value.since < long)
      waiting.oldest.value.holder.giveUp(tooMany());
  }
}

function giveUpUnread(holders: Iterable<WindowHolder>, isNeeded: () => boolean): void {
  const long = performance.now() - mostMillisecondsLeftAlone;
  for (const { leftAloneSince, giveUp } of holders) {
    if (!isNeeded()) return;
    if ((leftAloneSince() ?? Infinity) < long) giveUp(tooSlow());
  }
}

function tooSlow(): GatewayError {
  return new RequestError(
    "download-stalled",
    "The client was cut off: it took nothing of its answer, and others wait for the memory in which it is decompressed.",
  );
}

function tooMany(): GatewayError {
  return new OverloadError("overloaded", "Too many compressed answers are on their way to clients that read slowly.", {
    headers: { "retry-after": "1" },
  });
}
