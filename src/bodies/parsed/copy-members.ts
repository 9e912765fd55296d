/** Copies an object or a list as JSON has them, but not what lies deeper; any other value is the same. */
export function copyMembers(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  return isRecord(value) ? copyRecord(value) : value;
}

/** Whether the members of two such values are the same, in the same order. */
export function haveSameMembers(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) return Array.isArray(other) && isSameList(one, other);
  return isRecord(one) && isRecord(other) && isSameRecord(one, other);
}

// As much as V8 takes for one.
const bytesOfMember = 64;
const bytesOfItem = 8;

/** How many bytes a copy takes. */
export function bytesOfCopy(value: unknown): number {
  if (Array.isArray(value)) return value.length * bytesOfItem;
  return isRecord(value) ? Object.keys(value).length * bytesOfMember : 0;
}

/** Assigning would set the prototype where JSON has a member `__proto__`. */
function copyRecord(record: object): object {
  const prototype = Object.getPrototypeOf(record) as object | null;
  // Members that nobody enumerates are seldom, and copying descriptors takes several times as long.
  if (Reflect.ownKeys(record).length > Object.keys(record).length)
    return Object.create(prototype, Object.getOwnPropertyDescriptors(record)) as object;
  return prototype === null ? { __proto__: null, ...record } : { ...record };
}

function isSameRecord(one: object, other: object): boolean {
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  const names = Reflect.ownKeys(one);
  const others = Reflect.ownKeys(other);
  if (names.length !== others.length) return false;
  return names.every((name, at) => name === others[at] && Object.is(Reflect.get(one, name), Reflect.get(other, name)));
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => Object.is(item, other[at]));
}

function isRecord(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What is remembered of a copy takes no room that is counted. */
const mostChanges = 64;

/**
 * Remembers how a copy differs from its original, and gives the function that makes it anew; undefined where more than a few
 * members differ, or where it is no copy.
 */
export function keepChanges(changed: unknown, original: unknown): (() => unknown) | undefined {
  if (Array.isArray(changed)) return Array.isArray(original) ? keepItems(changed, original) : undefined;
  return isRecord(changed) && isRecord(original) ? keepRecord(changed, original) : undefined;
}

function keepItems(changed: readonly unknown[], original: readonly unknown[]): (() => unknown) | undefined {
  const items: [number, unknown][] = [];
  for (let at = 0; at < changed.length; at += 1) {
    if (at < original.length && Object.is(changed[at], original[at])) continue;
    if (items.push([at, changed[at]]) > mostChanges) return undefined;
  }
  const { length } = changed;
  return function makeAgain() {
    const copy = original.slice(0, length);
    for (const [at, item] of items) copy[at] = item;
    return copy;
  };
}

function keepRecord(changed: object, original: object): (() => unknown) | undefined {
  if (Object.getPrototypeOf(changed) !== Object.getPrototypeOf(original)) return undefined;
  const removed = Reflect.ownKeys(original).filter((name) => !Object.hasOwn(changed, name));
  const set = Reflect.ownKeys(changed).filter((name) => !isMemberOf(original, name, Reflect.get(changed, name)));
  if (removed.length + set.length > mostChanges) return undefined;
  const members = set.map((name) => [name, Reflect.getOwnPropertyDescriptor(changed, name)!] as const);
  return function makeAgain() {
    const copy = copyRecord(original);
    for (const name of removed) Reflect.deleteProperty(copy, name);
    for (const [name, member] of members) Reflect.defineProperty(copy, name, member);
    return copy;
  };
}

function isMemberOf(record: object, name: PropertyKey, value: unknown): boolean {
  return Object.hasOwn(record, name) && Object.is(Reflect.get(record, name), value);
}
