const oldest = { major: 22, minor: 15 };

/** Why waymark does not run on a version of Node; undefined where it does. */
export function findWrongVersion(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `waymark needs Node.js ${oldest.major}.${oldest.minor} or newer; this is ${version}.`;
}
