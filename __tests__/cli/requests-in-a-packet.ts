/** Requests with such lines in their heads, by turns. */
export function requestsWith(lines: readonly string[], count: number): string {
  const texts = Array.from(
    { length: count },
    (_, id) => `GET /${id} HTTP/1.1\r\nHost: a\r\n${lines[id % lines.length]}\r\n`,
  );
  return texts.join("");
}
