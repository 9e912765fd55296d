import { createHash, randomBytes } from "node:crypto";

/** An API key that nobody else has: the key for whoever asks for it, and its digest for the file. */
type FirstKey = Readonly<{ key: string; sha256: string }>;

/** Makes the first API key of a locked configuration. */
export function createFirstKey(): FirstKey {
  const key = randomBytes(24).toString("base64url");
  return { key, sha256: createHash("sha256").update(key).digest("hex") };
}

/** The file has its digest only: nobody who reads that gets in, and nobody but the reader of this line has the key. */
export function tellFirstKey({ key }: FirstKey): string {
  return `The first API key, shown only now: ${key}\n`;
}
