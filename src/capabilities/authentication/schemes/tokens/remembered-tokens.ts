import { hash } from "node:crypto";
import { addNewest, createByAge, removeAged } from "../../../../by-age.ts";

/** What was found out about tokens a moment ago, by their digests. */
type Remembered<Finding> = Readonly<{
  find: (token: string) => Finding | undefined;
  keep: (token: string, finding: Finding, kept: Kept) => void;
  forgetAll: () => void;
}>;

/** How long a finding is kept at most, and how many bytes it takes, about. */
type Kept = Readonly<{ bytes: number; milliseconds?: number }>;

type Entry<Finding> = Readonly<{ finding: Finding; until: number; bytes: number }>;

const longestMilliseconds = 60_000;
const mostTokens = 10_000;
const mostBytes = 67_108_864;

/** Makes an empty memory of tokens; nothing stays longer than a minute, and the oldest leave when it is full. */
export function createRemembered<Finding>(): Remembered<Finding> {
  const digestOf = createDigestOf();
  let byDigest = createByAge<Entry<Finding>>();
  let allBytes = 0;
  return {
    find(token) {
      const digest = digestOf(token);
      const found = byDigest.entries.get(digest)?.value;
      if (found === undefined || found.until > Date.now()) return found?.finding;
      drop(digest);
      return undefined;
    },
    keep(token, finding, { bytes, milliseconds = longestMilliseconds }) {
      const digest = digestOf(token);
      drop(digest);
      const until = Date.now() + Math.min(milliseconds, longestMilliseconds);
      addNewest(byDigest, digest, { finding, until, bytes });
      allBytes += bytes;
      while (byDigest.entries.size > mostTokens || allBytes > mostBytes) drop(byDigest.oldest!.key);
    },
    forgetAll() {
      byDigest = createByAge();
      allBytes = 0;
    },
  };

  function drop(digest: string): void {
    allBytes -= removeAged(byDigest, digest)?.bytes ?? 0;
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
