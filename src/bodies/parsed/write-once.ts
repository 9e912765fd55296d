import type { Framing } from "../request-framing.ts";
import type { Head } from "./sent-length.ts";

/** A value that a parser has made of a body, for several calls, and what it was written as last. */
export type SharedValue = { readonly value: unknown; written: Written | undefined };

type Written = Readonly<{ framing: Framing; tells: string; take: () => Buffer }>;

/**
 * Writes a value once for all calls whose heads say the same of the body: a form may cost some hundred times as much as its
 * bytes. What the writing fails with, it fails with for all of them.
 */
export function writeOnce(shared: SharedValue, { framing, headers }: Head, write: () => Buffer): Buffer {
  const tells = JSON.stringify([headers["content-type"], headers["content-encoding"]]);
  const { written } = shared;
  if (written?.framing === framing && written.tells === tells) return written.take();
  const take = keepOutcome(write);
  shared.written = { framing, tells, take };
  return take();
}

function keepOutcome(write: () => Buffer): () => Buffer {
  try {
    const bytes = write();
    return () => bytes;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
