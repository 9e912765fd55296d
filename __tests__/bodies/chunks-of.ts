/** The chunks of the body of a message, which ends with the last of the bytes or goes on. */
export function chunksOf(bytes: string): readonly string[] {
  const chunks: string[] = [];
  let at = bytes.indexOf("\r\n\r\n") + 4;
  for (;;) {
    const begin = bytes.indexOf("\r\n", at) + 2;
    const length = Number.parseInt(bytes.slice(at, begin), 16);
    if (!(length > 0)) return chunks;
    chunks.push(bytes.slice(begin, begin + length));
    at = begin + length + 2;
  }
}
