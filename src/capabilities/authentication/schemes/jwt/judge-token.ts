import { isUtf8 } from "node:buffer";
import { isWithinDepth } from "../../../../json/is-within-depth.ts";
import { maximumDepth } from "../../../../json/json-node.ts";
import { parseAllDigits } from "../../../../json/parse-all-digits.ts";
import { type ClaimRules, isFromIssuer, isMeantForUs, timeOf } from "../tokens/judge-claims.ts";
import type { TokenClaims } from "../tokens/identity-of-token.ts";

/** What of a signed token is compared before and after its signature. */
export type TokenRules = ClaimRules &
  Readonly<{
    algorithms: readonly string[];
    /** In lower case; `none` stands for a token without a type. */
    types: readonly string[];
  }>;

/** A signed token as it can be read before anybody knows whether it is true. */
export type ReadToken = Readonly<{ header: TokenClaims; payload: TokenClaims }>;

/** Something that a token must fulfil, by a name that people know. */
type TokenCheck = Readonly<{
  what: string;
  expected: (rules: TokenRules) => string;
  holds: (token: ReadToken, rules: TokenRules) => boolean;
}>;

/** What is compared before a signature is computed. */
export const earlyChecks: readonly TokenCheck[] = [
  {
    what: "extensions",
    expected: () => "none that are critical, and no binding to a key of the client",
    holds: ({ header, payload }) => !("crit" in header) && !("cnf" in payload),
  },
  {
    what: "algorithm",
    expected: ({ algorithms }) => `one of ${algorithms.join(", ")}`,
    holds: ({ header: { alg } }, { algorithms }) => typeof alg === "string" && algorithms.includes(alg),
  },
  {
    what: "type",
    expected: ({ types }) => `one of ${types.join(", ")}`,
    holds: ({ header }, { types }) => types.includes(typeOf(header.typ)),
  },
  { what: "exp", expected: () => "an end", holds: ({ payload }) => timeOf(payload.exp) !== undefined },
  {
    what: "issuer",
    expected: ({ issuer }) => (issuer === undefined ? "any" : JSON.stringify(issuer)),
    holds: ({ payload }, rules) => isFromIssuer(payload, rules),
  },
];

/** Whether it is worth while to look at the signature of a token: of most that are none of ours it is not. */
export function isWorthVerifying(read: ReadToken, rules: TokenRules): boolean {
  return earlyChecks.every(({ holds }) => holds(read, rules));
}

/** Whether the claims of a token whose signature is good are for us and make sense; jose asks the same of those it checks. */
export function isSound({ payload }: ReadToken, rules: TokenRules): boolean {
  const { nbf = 0, iat = 0 } = payload;
  return isMeantForUs(payload, rules) && timeOf(nbf) !== undefined && timeOf(iat) !== undefined;
}

/** What a signed token says, true or not; undefined for what is none. */
export function readToken(token: string, readHeader: ReadPart = readPart): ReadToken | undefined {
  const [header, payload] = token.split(".", 2);
  const read = { header: readHeader(header ?? ""), payload: readPart(payload ?? "") };
  return read.header === undefined || read.payload === undefined ? undefined : (read as ReadToken);
}

type ReadPart = (part: string) => TokenClaims | undefined;

/** Makes a reader of headers. Those of all tokens of one key are the same: the last one is not read again. */
export function createReadHeader(): ReadPart {
  let last: Readonly<{ part: string; header: TokenClaims | undefined }> = { part: "", header: undefined };
  return function readHeader(part) {
    if (part !== last.part) last = { part, header: readPart(part) };
    return last.header;
  };
}

function typeOf(type: unknown): string {
  if (type === undefined) return "none";
  const named = typeof type === "string" ? type.toLowerCase().replace(/^application\//, "") : "";
  return named === "none" ? "" : named;
}

function readPart(part: string): ReturnType<ReadPart> {
  try {
    const bytes = Buffer.from(part, "base64url");
    // What is no text would be read as another one, which somebody else may have.
    if (!isUtf8(bytes)) return undefined;
    const value = parseAllDigits(bytes.toString());
    const isRead = typeof value === "object" && value !== null && isWithinDepth(value, maximumDepth);
    return isRead ? (value as TokenClaims) : undefined;
  } catch {
    return undefined;
  }
}
