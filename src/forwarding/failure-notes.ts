/** What the caller of an engine needs to know of a failure. */
export type FailureNotes = Readonly<{
  /** A kept connection failed before a byte of the answer, so that a retry is safe. */
  reused?: boolean;
  /** The connection failed before it stood. */
  unconnected?: boolean;
  /** The status of an answer that has come, but cannot be taken. */
  answered?: number | undefined;
}>;

const notes = new WeakMap<object, FailureNotes>();
const nothing: FailureNotes = {};

/**
 * Notes something beside a failure, and gives the failure back: user code may have made it, which lets nothing be written
 * on it, or has made it a text. Of such a text, which no engine makes, nothing is to be known.
 */
export function noteFailure<Failure>(failure: Failure, added: FailureNotes): Failure {
  if (isObject(failure)) notes.set(failure, { ...notes.get(failure), ...added });
  return failure;
}

/** What is noted of a failure. */
export function notesOf(failure: unknown): FailureNotes {
  return (isObject(failure) ? notes.get(failure) : undefined) ?? nothing;
}

function isObject(failure: unknown): failure is object {
  return typeof failure === "object" && failure !== null;
}
