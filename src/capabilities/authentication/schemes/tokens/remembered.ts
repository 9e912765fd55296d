import { hash } from "node:crypto";

/** What was found out about tokens a moment ago, by their digests. */
export type Remembered<Finding> = Readonly<{
  find: (token: string) => Finding | undefined;
  keep: (token: string, finding: Finding, kept: Kept) => void;
  forgetAll: () => void;
}>;

/** How long a finding is kept at most, and how many characters belong to it. */
export type Kept = Readonly<{ size: number; milliseconds?: number }>;

type Entry<Finding> = Readonly<{ finding: Finding; until: number; size: number }>;

const longestMilliseconds = 60_000;
const mostTokens = 10_000;
const mostCharacters = 67_108_864;

/** Makes an empty memory of tokens; nothing stays longer than a minute, and the oldest leave when it is full. */
export function createRemembered<Finding>(): Remembered<Finding> {
  const digestOf = createDigestOf();
  const byDigest = new Map<string, Entry<Finding>>();
  // In the order of their coming, round and round: a map whose first entries were deleted is slow to find its first one.
  const digests: string[] = [];
  const counts = { came: 0, left: 0 };
  let characters = 0;
  return {
    find(token) {
      const digest = digestOf(token);
      const found = byDigest.get(digest);
      if (found === undefined || found.until > Date.now()) return found?.finding;
      drop(digest);
      return undefined;
    },
    keep(token, finding, { size, milliseconds = longestMilliseconds }) {
      const digest = digestOf(token);
      drop(digest);
      if (counts.came - counts.left === mostTokens) dropOldest();
      const until = Date.now() + Math.min(milliseconds, longestMilliseconds);
      byDigest.set(digest, { finding, until, size });
      digests[counts.came % mostTokens] = digest;
      counts.came += 1;
      characters += size;
      while (characters > mostCharacters) dropOldest();
    },
    forgetAll() {
      byDigest.clear();
      characters = 0;
      counts.left = counts.came;
    },
  };

  function dropOldest(): void {
    drop(digests[counts.left % mostTokens]!);
    counts.left += 1;
  }

  function drop(digest: string): void {
    const entry = byDigest.get(digest);
    if (entry === undefined) return;
    characters -= entry.size;
    byDigest.delete(digest);
  }
}

/** A token that is not found is most often kept in the next moment. */
function createDigestOf(): (token: string) => string {
  let last = "";
  let digest = "";
  return function digestOf(token) {
    if (token !== last) {
      digest = hash("sha256", token, "base64");
      last = token;
    }
    return digest;
  };
}
