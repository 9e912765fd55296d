const withoutMembers = Object.freeze(Object.create(null) as object);

/** A record to be filled in, without inherited names; unlike `Object.create(null)`, V8 does not make it a hash table. */
export function emptyRecord<Value>(): Record<string, Value> {
  return Object.create(withoutMembers) as Record<string, Value>;
}
