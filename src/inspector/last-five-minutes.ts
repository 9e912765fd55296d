/** One second of a gateway: how many requests ended in it, how many of them failed, and how long they took. */
export type Second = Readonly<{
  /** Seconds since 1970. */
  at: number;
  requests: number;
  errors: number;
  /** Pairs: a class of durations, and how many requests were of it. */
  times: readonly number[];
}>;

/** What happened in the last five minutes, second by second. */
export type Timeline = Readonly<{
  note: (at: number, duration: number, isError: boolean) => void;
  /** The seconds in which anything ended, oldest first. */
  read: (now: number) => readonly Second[];
}>;

/** A second as graphs show it; durations in milliseconds. */
export type Point = Pick<Second, "at" | "requests" | "errors"> &
  Readonly<{
    /** Half of the requests took no longer. */
    median: number;
    /** 95 of 100 took no longer. */
    slow: number;
  }>;

const keptSeconds = 300;

// From one millisecond to two minutes, each class a quarter longer than the one before.
const growth = 1.25;
const classes = 54;
const width = classes + 2;

/** Makes a timeline that takes the same memory whatever happens: a ring of numbers, without a timer. */
export function createTimeline(): Timeline {
  const counts = new Uint32Array(keptSeconds * width);
  const seconds = new Float64Array(keptSeconds);
  return { note, read };

  function note(at: number, duration: number, isError: boolean): void {
    const second = Math.floor(at / 1_000);
    const place = second % keptSeconds;
    const start = place * width;
    if (seconds[place] !== second) {
      counts.fill(0, start, start + width);
      seconds[place] = second;
    }
    counts[start]! += 1;
    if (isError) counts[start + 1]! += 1;
    counts[start + 2 + classOf(duration)]! += 1;
  }

  function read(now: number): readonly Second[] {
    const first = Math.floor(now / 1_000) - keptSeconds;
    const kept = [...seconds].filter((at) => at > first).sort((one, other) => one - other);
    return kept.map((at) => {
      const start = (at % keptSeconds) * width;
      const [requests, errors] = counts.subarray(start);
      return { at, requests: requests!, errors: errors!, times: timesOf(counts.subarray(start + 2, start + width)) };
    });
  }
}

/** The seconds of several processes as one. */
export function sumSeconds(lists: readonly (readonly Second[])[]): readonly Second[] {
  const byTime = Map.groupBy(lists.flat(), ({ at }) => at);
  return [...byTime].map(([at, seconds]) => sumSecond(at, seconds)).sort((one, other) => one.at - other.at);
}

/** What graphs show of a second, or of several that were summed. */
export function toPoint({ at, requests, errors, times }: Second): Point {
  return { at, requests, errors, median: durationOf(times, requests * 0.5), slow: durationOf(times, requests * 0.95) };
}

/** The longest duration of the class in which so many requests were reached. */
function durationOf(times: Second["times"], wanted: number): number {
  let reached = 0;
  for (let index = 0; index < times.length; index += 2) {
    reached += times[index + 1]!;
    if (reached >= wanted) return Math.round(growth ** times[index]! * 10) / 10;
  }
  return 0;
}

/** Sums seconds as if all were one. */
export function sumSecond(at: number, seconds: readonly Second[]): Second {
  const [first, ...others] = seconds;
  if (first !== undefined && others.length === 0) return first;
  const counts = new Uint32Array(classes);
  for (const { times } of seconds) {
    for (let index = 0; index < times.length; index += 2) counts[times[index]!]! += times[index + 1]!;
  }
  const sum = (name: "requests" | "errors"): number => seconds.reduce((all, second) => all + second[name], 0);
  return { at, requests: sum("requests"), errors: sum("errors"), times: timesOf(counts) };
}

function classOf(duration: number): number {
  if (!(duration > 1)) return 0;
  return Math.min(classes - 1, Math.ceil(Math.log(duration) / Math.log(growth)));
}

function timesOf(counts: Uint32Array): number[] {
  return [...counts].flatMap((count, timeClass) => (count === 0 ? [] : [timeClass, count]));
}
