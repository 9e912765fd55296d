import { type JsonNode, quote } from "../../../json/json-node.ts";
import { isConfidential } from "../../../urls/is-confidential.ts";
import { isSwitchedOff } from "../scheme-keys.ts";
import { contradictory, incomplete, type SchemeFault, type WrittenScheme } from "./scheme-fault.ts";

/** Who gives out tokens, and for whom they are meant. */
export function claimFaults({ Issuer, Audience, RequiredClaims }: WrittenScheme): readonly SchemeFault[] {
  return [
    ...(Issuer === undefined ? [incomplete("Issuer", "whose tokens are taken, or false")] : []),
    ...(Audience === undefined ? [incomplete("Audience", "for whom a token must be meant, or false")] : []),
    ...requiredClaimFaults(RequiredClaims),
  ];
}

function requiredClaimFaults(claims: unknown): readonly SchemeFault[] {
  if (claims === undefined) return [];
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) {
    return [contradictory("RequiredClaims", "required claims are an object of values by name")];
  }
  const empty = Object.entries(claims).filter(([, value]) => isEmpty(value));
  return empty.map(([name]) => ({
    code: "lock-value-empty",
    within: ["RequiredClaims", name],
    message: `no token has the claim ${quote(name)} like this: expected a value, or a list of values`,
  }));
}

/** `false` alone says that no audience is asked for; within a list, nobody can tell whether it was meant so. */
export function audienceListFaults(written: JsonNode | undefined): readonly SchemeFault[] {
  if (written?.kind !== "array") return [];
  const index = written.items.findIndex((item) => "text" in item && isSwitchedOff(item.text));
  if (index === -1) return [];
  const message = "false stands in a list: expected audiences there, or false alone, which checks none";
  return [{ code: "scheme-contradictory", within: ["Audience", index], message }];
}

function isEmpty(value: unknown): boolean {
  const values: readonly unknown[] = [value].flat();
  return values.length === 0 || values.some((one) => one === "" || one === null || typeof one === "object");
}

/** Where the keys of signed tokens come from: one place. */
export function sourceFaults({ Issuer, JwksUri, KeyFile, Secret }: WrittenScheme): readonly SchemeFault[] {
  const sources = Object.entries({ JwksUri, KeyFile, Secret }).filter(([, value]) => value !== undefined);
  const names = sources.map(([name]) => name);
  const needsSource = isSwitchedOff(Issuer) && names.length === 0;
  return [
    ...(needsSource ? [incomplete("JwksUri", "where the keys are, as no issuer is named")] : []),
    ...(names.length > 1
      ? [contradictory(names[1]!, `keys come from one place: expected one of ${names.join(", ")}`)]
      : []),
    ...(isSwitchedOff(Issuer) || names.length > 0 ? [] : urlFaults("Issuer", Issuer)),
    ...urlFaults("JwksUri", JwksUri),
  ];
}

/** Which server is asked about tokens, and as whom. */
export function endpointFaults({ Url, ClientId, ClientSecret }: WrittenScheme): readonly SchemeFault[] {
  return [
    ...(Url === undefined ? [incomplete("Url", "where the server is asked about tokens")] : urlFaults("Url", Url)),
    ...(ClientId === undefined ? [incomplete("ClientId", "as whom the gateway asks")] : []),
    ...(ClientSecret === undefined ? [incomplete("ClientSecret", "the secret of the client")] : []),
  ];
}

function urlFaults(key: string, text: string | undefined): readonly SchemeFault[] {
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

/** A secret that nobody guesses. */
export function secretFaults({ Secret: secret }: WrittenScheme): readonly SchemeFault[] {
  if (secret === undefined) return [];
  const isKey = secret.includes("-----BEGIN");
  if (!isKey && Buffer.byteLength(secret) >= leastSecretBytes) return [];
  const found = isKey ? 'a key in PEM belongs into a file that "KeyFile" names' : "the secret is shorter than 32 bytes";
  return [{ code: "scheme-secret-weak", within: ["Secret"], message: `${found}: anybody could sign tokens` }];
}

const symmetric = /^HS(256|384|512)$/;
const asymmetric = /^((RS|PS|ES)(256|384|512)|EdDSA|Ed25519)$/;

/** Algorithms that fit the key: a public key is no secret. */
export function algorithmFaults({ Algorithms: algorithms = [], Secret }: WrittenScheme): readonly SchemeFault[] {
  const fits = Secret === undefined ? asymmetric : symmetric;
  const wrong = algorithms.findIndex((algorithm) => !fits.test(algorithm));
  if (wrong === -1) return [];
  const expected =
    Secret === undefined ? "one for a public key, such as RS256" : "HS256, HS384 or HS512, as there is a secret";
  const message = `${quote(algorithms[wrong]!)} cannot be used here: expected ${expected}`;
  return [{ code: "scheme-contradictory", within: ["Algorithms", wrong], message }];
}
