// RFC 3986, 2.3: letters, digits, "-", ".", "_" and "~".
const escapedUnreserved = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/** Decodes percent-encoded unreserved characters, as RFC 3986 6.2.2.2 says, and nothing else. */
export function normalisePath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(escapedUnreserved, (found) => String.fromCharCode(Number.parseInt(found.slice(1), 16)));
}
