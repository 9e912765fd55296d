/** A header's value whose list, if it is one, is nobody else's. */
export function ownValue<Value>(value: Value): Value {
  return Array.isArray(value) ? (value.slice() as Value) : value;
}

/** The same headers, under the names that they have, whose lists are nobody else's. */
export function ownHeaders<Headers extends object>(headers: Headers): Headers {
  const own = Object.create(Object.getPrototypeOf(headers) as object | null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(headers)) own[name] = ownValue(value);
  return own as Headers;
}
