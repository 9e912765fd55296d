import { CompactSign } from "jose";
import type { Trace, TraceJwt, TraceToken } from "./trace.ts";

/** Signs the tokens of a trace, by their names. */
export async function signTokens({ setup, tokens }: Trace): Promise<Readonly<Record<string, string>>> {
  const schemes = setup?.jwt ?? {};
  const [first] = Object.keys(schemes);
  const signed = Object.entries(tokens).map(async ([name, token]) => {
    const scheme = schemes[token.sign.scheme ?? first!]!;
    return [
      name,
      await sign({ ...token, claims: complete(token.claims, scheme) }, token.sign.key ?? scheme.key),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(signed));
}

/** Some areas leave out what every token has. */
function complete(claims: string, { issuer, audience }: TraceJwt): string {
  if (/"(iss|aud|exp)":/.test(claims)) return claims;
  return `${claims.slice(0, -1)},"iss":${JSON.stringify(issuer)},"aud":${JSON.stringify(audience)},"exp":"now+3600"}`;
}

async function sign({ claims, sign: { alg, tamper } }: TraceToken, key: string): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const payload = claims.replace(/"now([+-]\d+)"/g, (_all, seconds: string) => String(now + Number(seconds)));
  if (alg === "none") return `${encode('{"alg":"none","typ":"JWT"}')}.${encode(payload)}.`;
  const token = await new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(Buffer.from(key));
  return tamper === true ? spoil(token) : token;
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Changes the first character of the signature: not all bits of the last one count. */
function spoil(token: string): string {
  const at = token.lastIndexOf(".") + 1;
  return `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
}
