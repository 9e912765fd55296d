import type { ConfigRule } from "../../config/rules/rule.ts";
import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import type { ProblemCode } from "../../schema/problem-codes.ts";
import { isConfidential } from "../../urls/is-confidential.ts";
import { isSwitchedOff, type SchemeConfig } from "./authentication-keys.ts";

type Fault = Readonly<{ code: ProblemCode; within?: readonly (string | number)[]; message: string }>;
type WrittenScheme = Readonly<Partial<SchemeConfig>>;

/** A scheme has what it needs, and nothing in it lets in who should stay outside. */
export const checkSchemes: ConfigRule = function checkSchemes({ global: { config, place }, report }) {
  for (const [name, scheme] of Object.entries(config.AuthenticationSchemes ?? {}) as [string, WrittenScheme][]) {
    const { Type: type } = scheme;
    const faults = type === undefined ? [incomplete("Type", "Jwt or ApiKey")] : faultsOf[type](scheme);
    for (const { code, within = [], message } of faults) {
      report(code, locate(place, ["AuthenticationSchemes", name, ...within]), `scheme ${quote(name)}: ${message}`);
    }
  }
};

const faultsOf: Readonly<Record<SchemeConfig["Type"], (scheme: WrittenScheme) => readonly Fault[]>> = {
  Jwt: (scheme) => [
    ...foreignKeys(scheme, ["Header", "Keys"]),
    ...originFaults(scheme),
    ...secretFaults(scheme),
    ...algorithmFaults(scheme),
  ],
  ApiKey: (scheme) => [...foreignKeys(scheme, jwtKeys), ...keyFaults(scheme)],
};

const jwtKeys = [
  ...(["Issuer", "Audience", "JwksUri", "KeyFile", "Secret", "Algorithms", "Types", "ClockTolerance"] as const),
  ...(["RequiredClaims", "Forward", "KeysMaxAge"] as const),
] as const;

function foreignKeys(scheme: WrittenScheme, keys: readonly (keyof SchemeConfig)[]): readonly Fault[] {
  const found = keys.filter((key) => scheme[key] !== undefined);
  return found.map((key) => contradictory(key, `"${key}" means nothing for "Type": "${String(scheme.Type)}"`));
}

/** Who signs tokens, for whom they are meant, and one place for the keys. */
function originFaults({ Issuer, Audience, JwksUri, KeyFile, Secret }: WrittenScheme): readonly Fault[] {
  const sources = Object.entries({ JwksUri, KeyFile, Secret }).filter(([, value]) => value !== undefined);
  const names = sources.map(([name]) => name);
  const needsSource = isSwitchedOff(Issuer) && names.length === 0;
  return [
    ...(Issuer === undefined ? [incomplete("Issuer", "whose tokens are taken, or false")] : []),
    ...(Audience === undefined ? [incomplete("Audience", "for whom a token must be meant, or false")] : []),
    ...(needsSource ? [incomplete("JwksUri", "where the keys are, as no issuer is named")] : []),
    ...(names.length > 1
      ? [contradictory(names[1]!, `keys come from one place: expected one of ${names.join(", ")}`)]
      : []),
    ...(isSwitchedOff(Issuer) || (Issuer !== undefined && names.length > 0) ? [] : urlFaults("Issuer", Issuer)),
    ...urlFaults("JwksUri", JwksUri),
  ];
}

function urlFaults(key: string, text: string | undefined): readonly Fault[] {
  if (text === undefined) return [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && isConfidential(url) && url.hash === "" && url.username === "") return [];
  return [
    {
      code: "scheme-url-invalid",
      within: [key],
      message: `expected a URL that begins with https://, found ${quote(text)}`,
    },
  ];
}

const leastSecretBytes = 32;

function secretFaults({ Secret: secret }: WrittenScheme): readonly Fault[] {
  if (secret === undefined) return [];
  const isKey = secret.includes("-----BEGIN");
  if (!isKey && Buffer.byteLength(secret) >= leastSecretBytes) return [];
  const found = isKey ? 'a key in PEM belongs into a file that "KeyFile" names' : "the secret is shorter than 32 bytes";
  return [{ code: "scheme-secret-weak", within: ["Secret"], message: `${found}: anybody could sign tokens` }];
}

const symmetric = /^HS(256|384|512)$/;
const asymmetric = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;

function algorithmFaults({ Algorithms: algorithms = [], Secret }: WrittenScheme): readonly Fault[] {
  const fits = Secret === undefined ? asymmetric : symmetric;
  const wrong = algorithms.findIndex((algorithm) => !fits.test(algorithm));
  if (wrong === -1) return [];
  const expected =
    Secret === undefined ? "one for a public key, such as RS256" : "HS256, HS384 or HS512, as there is a secret";
  const message = `${quote(algorithms[wrong]!)} cannot be used here: expected ${expected}`;
  return [{ code: "scheme-contradictory", within: ["Algorithms", wrong], message }];
}

type ApiKeyEntry = Readonly<{ Name?: string; Sha256?: string; Claims?: unknown }>;

const sha256 = /^[\da-f]{64}$/i;
const ofEmptyText = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function keyFaults({ Keys: keys = [] }: WrittenScheme): readonly Fault[] {
  if (keys.length === 0) return [incomplete("Keys", 'a list of { "Name", "Sha256" }')];
  const digests = (keys as readonly ApiKeyEntry[]).map(({ Sha256 }) => Sha256?.toLowerCase());
  return (keys as readonly ApiKeyEntry[]).flatMap((key, index) => {
    const first = digests.indexOf(digests[index]);
    const fault =
      first < index
        ? invalid("Sha256", `Keys[${first}] has the same digest: a key belongs to one name`)
        : faultOfKey(key);
    return fault === undefined ? [] : [{ ...fault, within: ["Keys", index, ...(fault.within ?? [])] }];
  });
}

function faultOfKey({ Name, Sha256, Claims }: ApiKeyEntry): Fault | undefined {
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

function incomplete(key: string, what: string): Fault {
  return { code: "scheme-incomplete", message: `"${key}" is missing: expected ${what}` };
}

function contradictory(key: string, message: string): Fault {
  return { code: "scheme-contradictory", within: [key], message };
}

function invalid(key: string, message: string): Fault {
  return { code: "api-key-invalid", within: [key], message };
}
