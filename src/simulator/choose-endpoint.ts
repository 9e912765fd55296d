const webAddress = /^https?:./i;
const secureAddress = /^https:./i;

/** Which listener of a replica is wanted. */
type WantedListener = Readonly<{
  /** Compared without case; empty for the first one. */
  name: string;
  secureOnly: boolean;
}>;

/** The URL to call at a replica address; undefined where no listener fits. */
export function chooseEndpoint(address: string, wanted: WantedListener): string | undefined {
  const listeners = parseListeners(address);
  if (listeners === undefined) return address;
  const isFitting = wanted.secureOnly ? secureAddress : webAddress;
  const wantedName = wanted.name.toLowerCase();
  const fitting = listeners.find(
    ([name, url]) => isFitting.test(url) && (wantedName === "" || name.toLowerCase() === wantedName),
  );
  return fitting?.[1];
}

/** The listeners by name, in the order the real one keeps them (a sorted map); undefined when the address is no JSON object. */
function parseListeners(address: string): readonly (readonly [string, string])[] | undefined {
  const parsed = parseJson(address);
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const endpoints: unknown = (parsed as { Endpoints?: unknown }).Endpoints;
  return Object.entries(endpoints ?? {})
    .map(([name, url]) => [name, String(url)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
