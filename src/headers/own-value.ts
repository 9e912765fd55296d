/** A header's value whose list, if it is one, is nobody else's. */
export function ownValue<Value>(value: Value): Value {
  return Array.isArray(value) ? (value.slice() as Value) : value;
}
