const escapes = /(?:%[0-9a-f]{2})+/gi;
const reserved = /[$+|~]/;
const scheme = /^fabric:(?=\/)/i;
// Not escaped: visible ASCII but for these. "%" stays too, as in the real one.
const unsafe = /[^!-~]|["<>[\]\\^`{|}]/gu;

/** The name to resolve a request path by; undefined when nothing of the path can be a name. */
export function nameFromPath(path: string): string | undefined {
  const decoded = decodeEscapes(path.slice(1));
  // "fabric:/" in front of a leading slash reads as an authority, which names do not have.
  if (decoded.startsWith("/")) return undefined;
  return withoutTrailingSlashes(cutAtEmptySegment(cutAtReserved(decoded))) || undefined;
}

/** The name in a `ServiceName` parameter, which must be a complete one; undefined when it is not. */
export function nameFromParameter(value: string): string | undefined {
  const decoded = decodeEscapes(value);
  return scheme.test(decoded) ? nameFromText(decoded) : undefined;
}

/** A service name without its scheme or leading slash; undefined when a service cannot be called that. */
export function nameFromText(text: string): string | undefined {
  const name = text.replace(scheme, "").replace(/^\//, "");
  const isIllFormed = name === "" || reserved.test(name) || `/${name}/`.includes("//");
  return isIllFormed ? undefined : name;
}

/** A service name as it stands in a URL. */
export function escapeName(name: string): string {
  return name.replace(unsafe, (character) =>
    Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&"),
  );
}

/** Ill-formed escapes stay as they are. */
function decodeEscapes(text: string): string {
  return text.replace(escapes, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));
}

function cutAtReserved(name: string): string {
  const found = name.search(reserved);
  return found === -1 ? name : name.slice(0, Math.max(name.lastIndexOf("/", found), 0));
}

function cutAtEmptySegment(name: string): string {
  const found = name.indexOf("//");
  return found === -1 ? name : name.slice(0, found);
}

function withoutTrailingSlashes(name: string): string {
  let end = name.length;
  while (name[end - 1] === "/") end -= 1;
  return name.slice(0, end);
}
