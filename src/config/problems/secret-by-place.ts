import { editDistance } from "../../closest-name.ts";
import type { Key, Section } from "../../schema/key.ts";
import { findMeantKey } from "../ocelot/meant-keys.ts";
import { allSections, rootSection } from "../sections.ts";
import { meantSecret } from "./secret-keys.ts";

/** What the names that lead to a value tell of it. */
export type Judged = Readonly<{
  /** The name of the secret that it is. */
  secret?: string | undefined;
  /** What stands among API keys under no name of the format may be a client's key itself. */
  mayBeApiKey?: boolean;
  /** Where it is an object: the kind that it is of, by which its own names are judged. */
  object?: Readonly<{ section: Section; isRecord: boolean; unknownAre?: string | undefined }> | undefined;
}>;

/** How a configuration as a whole is judged. */
export const judgedWhole: Judged = { object: { section: rootSection, isRecord: false } };

const keysOfSections = new Map<Section, ReadonlyMap<string, Key>>(
  allSections.map((section) => [
    section,
    new Map(Object.entries(section.keys).map(([name, key]) => [name.toLowerCase(), key])),
  ]),
);

const namesOfApiKeys: ReadonlySet<string> = new Set(
  allSections.filter(({ name }) => name === "apiKey").flatMap((section) => [...keysOfSections.get(section)!.keys()]),
);

/** The name of the secret, or of the list of API keys, that a key names; undefined where it names none. */
export function secretNamed(name: string): string | undefined {
  return meantSecret(name) ?? (namesApiKeys(name) ? listOfApiKeys : undefined);
}

/** The same of a key whose value is an object or a list, which a route's key is not. */
export function secretNamedBeforeBracket(name: string): string | undefined {
  return name.toLowerCase() === keyOfRoute ? listOfApiKeys : secretNamed(name);
}

const listOfApiKeys = "keys";

// A route has a key, too.
const keyOfRoute = "key";

/** Whether a name is that of the list, but for a slip. */
function namesApiKeys(name: string): boolean {
  if (Math.abs(name.length - listOfApiKeys.length) > 1) return false;
  const key = name.toLowerCase();
  return key !== keyOfRoute && editDistance(key, listOfApiKeys, 2) < 2;
}

/** Judges the value of a member by its name, within an object that is judged itself. */
export function judgeMember(within: Judged, name: string): Judged {
  if (within.secret !== undefined) return within;
  const { object, mayBeApiKey = false } = within;
  const key = name.toLowerCase();
  const secret = meantSecret(name);
  const isAmongApiKeys = mayBeApiKey ? !namesOfApiKeys.has(key) : namesApiKeys(name);
  if (object === undefined) return { secret, mayBeApiKey: isAmongApiKeys };
  if (object.isRecord) {
    // What nobody knows within an object that a user calls a secret may be that secret.
    const entry = { ...object, isRecord: false, unknownAre: secretNamed(name) };
    return { secret: secret ?? object.unknownAre, mayBeApiKey: isAmongApiKeys, object: entry };
  }
  const known = keysOfSections.get(object.section)!.get(key);
  if (known !== undefined) return { secret, mayBeApiKey: isAmongApiKeys, object: objectOf(known) };
  const meant = findMeantKey(object.section.name, name);
  return {
    secret: secret ?? (meant === undefined ? undefined : meantSecret(meant)) ?? object.unknownAre,
    mayBeApiKey: isAmongApiKeys || mayMeanApiKeys(meant, object.section),
  };
}

/** Whether a name that a kind of object does not know may mean its list of API keys, or one of them: it means no other key. */
function mayMeanApiKeys(meant: string | undefined, section: Section): boolean {
  return section.name === "scheme" && (meant === undefined || meant === "Keys");
}

function objectOf(key: Key | undefined): Judged["object"] {
  if (key?.kind !== "section" && key?.kind !== "record") return undefined;
  return { section: key.section, isRecord: key.kind === "record" };
}

/** Judges what stands within the brackets of a value. An object of a known kind is no secret as a whole, whatever its name. */
export function judgeWithin({ object, ...value }: Judged, bracket: "{" | "["): Judged {
  return bracket === "{" && object !== undefined ? { object } : value;
}
