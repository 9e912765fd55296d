import { createBudget } from "../../../../budget.ts";
import { after } from "../../../../unattended/guarded.ts";
import { byAlgorithmAndName, createKeyFinder, type KeyFinder } from "./key-finder.ts";
import type { Jose } from "./load-jose.ts";
import { readKeys } from "./read-keys.ts";

/**
 * Where keys come from, how long known ones go on while it is away, and who hears that it is, or that it is back;
 * milliseconds.
 */
export type KeySource = Readonly<{
  fetchKeys: () => Promise<unknown>;
  maxAge: number;
  tell?: ((state: "there" | "away") => void) | undefined;
}>;

/** Keys as a fetch has brought them: which fetch it was, and when it ended. */
export type FetchedKeys = KeyFinder & Readonly<{ text: string; fetch: number; at: number }>;

/** The fetches of an issuer's keys, one at a time. */
type KeyFetching = Readonly<{
  /** Fetches the keys, or waits for the fetch that is under way. */
  fetch: () => Promise<FetchedKeys>;
  /** What the last fetch that succeeded has brought; it counts as used from then on. */
  known: () => FetchedKeys | undefined;
  /** Why the last fetch failed; undefined where it did not. */
  failure: () => unknown;
  /** How many have begun. */
  begun: () => number;
  /** Counts up whenever the keys have changed. */
  version: () => number;
  /** Whether there were few enough of late, failures included. */
  isAllowed: () => boolean;
}>;

/** After how many milliseconds keys are fetched again. */
export const refreshAfter = 600_000;

const fetchWindow = 30_000;
const mostFetches = 3;

/** Prepares the fetches of one issuer's keys. */
export function createKeyFetching({ createLocalJWKSet }: Jose, { fetchKeys, tell }: KeySource): KeyFetching {
  let latest: FetchedKeys | undefined;
  let underWay: Promise<FetchedKeys> | undefined;
  const failure = createFailure(tell);
  let isUsed = false;
  let refreshing: NodeJS.Timeout | undefined;
  const counts = { begun: 0, version: 0 };
  // Whoever asks may make up names of keys: the issuer is not to suffer from that.
  const budget = createBudget(mostFetches, fetchWindow);
  const { begun, version } = { begun: () => counts.begun, version: () => counts.version };
  return { fetch, known, failure: failure.read, begun, version, isAllowed };

  function known(): FetchedKeys | undefined {
    isUsed = true;
    return latest;
  }

  function fetch(): Promise<FetchedKeys> {
    underWay ??= fetchNow().finally(() => (underWay = undefined));
    return underWay;
  }

  async function fetchNow(): Promise<FetchedKeys> {
    budget.spend();
    counts.begun += 1;
    try {
      latest = keep(await fetchKeys(), counts.begun);
      failure.note(undefined);
    } catch (error) {
      failure.note(error);
      throw error;
    }
    refreshLater();
    return latest;
  }

  function keep(document: unknown, number: number): FetchedKeys {
    const keys = readKeys(document);
    const text = JSON.stringify(keys);
    if (text !== latest?.text) counts.version += 1;
    return { ...createKeyFinder(createLocalJWKSet(keys), byAlgorithmAndName), text, fetch: number, at: Date.now() };
  }

  /** Keys that nobody uses are left alone, and so are those of a configuration that was replaced. */
  function refreshLater(): void {
    clearTimeout(refreshing);
    isUsed = false;
    refreshing = after(refreshAfter, () => {
      if (isUsed) fetch().catch(ignore);
    }).unref();
  }

  function isAllowed(): boolean {
    return underWay !== undefined || budget.isLeft();
  }
}

type Failure = Readonly<{ read: () => unknown; note: (error: unknown) => void }>;

/** Why the last fetch failed; that fetches begin to fail, and succeed again, is told. */
function createFailure(tell: KeySource["tell"]): Failure {
  let failure: unknown;
  return {
    read: () => failure,
    note(error) {
      const state = error === undefined ? "there" : "away";
      if ((failure === undefined ? "there" : "away") !== state) tell?.(state);
      failure = error;
    },
  };
}

function ignore(): void {
  // Known keys go on, and the next token asks again.
}
