import { sha256 } from "../scheme-keys.ts";
import { incomplete, type SchemeFault, type WrittenScheme } from "./scheme-fault.ts";

type ApiKeyEntry = Readonly<{ Name?: string; Sha256?: string; Claims?: unknown }>;

const ofEmptyText = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Each key has a name and a digest of its own. */
export function keyFaults({ Keys: keys = [] }: WrittenScheme): readonly SchemeFault[] {
  if (keys.length === 0) return [{ ...incomplete("Keys", 'a list of { "Name", "Sha256" }'), unlessWritten: "Keys" }];
  const firstOf = new Map<string, number>();
  return (keys as readonly (ApiKeyEntry | undefined)[]).flatMap((key, index) => {
    // Of an entry that is no object the reader has told already.
    const fault = key && (faultOfRepeat(key, index, firstOf) ?? faultOfKey(key));
    return fault === undefined ? [] : [{ ...fault, within: ["Keys", index, ...(fault.within ?? [])] }];
  });
}

function faultOfRepeat({ Sha256 }: ApiKeyEntry, index: number, firstOf: Map<string, number>): SchemeFault | undefined {
  if (Sha256 === undefined) return undefined;
  const digest = Sha256.toLowerCase();
  const first = firstOf.get(digest);
  if (first === undefined) firstOf.set(digest, index);
  else return invalid("Sha256", `Keys[${first}] has the same digest: a key belongs to one name`);
  return undefined;
}

function faultOfKey({ Name, Sha256, Claims }: ApiKeyEntry): SchemeFault | undefined {
  if (Name === undefined || Name === "") return incomplete("Name", "whose key it is");
  if (Sha256 === undefined) return incomplete("Sha256", "the SHA-256 of the key in hexadecimal digits");
  if (!sha256.test(Sha256))
    return invalid("Sha256", "this is no SHA-256: expected 64 hexadecimal digits of the key's digest");
  if (Sha256.toLowerCase() === ofEmptyText)
    return invalid("Sha256", "this is the digest of the empty text, which is no key");
  if (Claims === undefined || (typeof Claims === "object" && Claims !== null && !Array.isArray(Claims)))
    return undefined;
  return invalid("Claims", "claims are an object of values by name");
}

function invalid(key: string, message: string): SchemeFault {
  return { code: "api-key-invalid", within: [key], message };
}
