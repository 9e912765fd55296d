import type { Headers } from "../delegating-handler.ts";

const withoutMembers = Object.freeze(Object.create(null) as object);

/** Headers to be filled in, without inherited names; unlike `Object.create(null)`, V8 does not make them a hash table. */
export function emptyHeaders(): Headers {
  return Object.create(withoutMembers) as Headers;
}
