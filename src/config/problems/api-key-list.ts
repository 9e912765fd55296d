import { allSections } from "../sections.ts";

/** The scan of a value of `Keys`: what stands there under no name of the format may be a client's key itself. */
export type ApiKeyList = Readonly<{
  /** Takes the next token; tells whether it may be a key. */
  mayBeKey: (token: string, text: string) => boolean;
  hasEnded: () => boolean;
}>;

/** An object or a list within the value; of an object the name whose value comes next. */
type Level = { readonly isObject: boolean; name: string | undefined };

const knownNames: ReadonlySet<string> = new Set(
  allSections.filter(({ name }) => name === "apiKey").flatMap(({ keys }) => Object.keys(keys).map(lowerCase)),
);

/** Begins to scan the value of `Keys`, behind its colon. */
export function scanApiKeys(): ApiKeyList {
  const levels: Level[] = [];
  let isOver = false;
  return { mayBeKey, hasEnded: () => isOver };

  function mayBeKey(token: string, text: string): boolean {
    if (token === ":" || token.startsWith("/")) return false;
    if (token === "{" || token === "[") levels.push({ isObject: token === "{", name: undefined });
    else if (token === "}" || token === "]") levels.pop();
    const level = levels.at(-1);
    isOver = level === undefined;
    if (/^[{}[\],]$/.test(token)) {
      if (level !== undefined && token === ",") level.name = undefined;
      return false;
    }
    if (level?.isObject === true && level.name === undefined) {
      level.name = text;
      return false;
    }
    return !levels.some(({ name }) => name !== undefined && knownNames.has(lowerCase(name)));
  }
}

function lowerCase(name: string): string {
  return name.toLowerCase();
}
