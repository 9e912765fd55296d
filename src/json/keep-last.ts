/** The same function, which keeps its last result: each item of a list may be asked about many times in a row. */
export function keepLast<Key, Result>(read: (key: Key) => Result): (key: Key) => Result {
  let last: Readonly<{ key: Key; result: Result }> | undefined;
  return function readOnce(key) {
    if (last?.key !== key) last = { key, result: read(key) };
    return last.result;
  };
}
