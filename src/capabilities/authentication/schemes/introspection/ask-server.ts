import { parseAllDigits } from "../../../../json/parse-all-digits.ts";
import type { SchemeConfig } from "../../scheme-keys.ts";
import { createJsonFetcher } from "../tokens/fetch-json.ts";
import type { TokenClaims } from "../tokens/identity-of-token.ts";

/** Asks the authorisation server about a token. */
type AskServer = (token: string) => Promise<TokenClaims>;

const mostBytes = 65_536;
const mostCalls = 20;

/** Prepares the calls to an introspection endpoint; no more than twenty are under way at the same time. */
export function createAskServer({ Url = "", ClientId = "", ClientSecret = "" }: SchemeConfig): AskServer {
  const authorization = `Basic ${Buffer.from(`${formEncode(ClientId)}:${formEncode(ClientSecret)}`).toString("base64")}`;
  const fetchJson = createJsonFetcher();
  let calls = 0;
  return async function askServer(token) {
    if (calls >= mostCalls) throw new Error(`${mostCalls} tokens are being asked about already.`);
    calls += 1;
    try {
      const body = new URLSearchParams({ token, token_type_hint: "access_token" });
      const request = { mostBytes, parse: parseAllDigits, method: "POST", headers: { authorization }, body } as const;
      const answer = await fetchJson(Url, request);
      return requireObject(answer);
    } finally {
      calls -= 1;
    }
  };
}

/** As RFC 6749 2.3.1 asks: a colon in an id would end it. */
function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice("text=".length);
}

function requireObject(answer: unknown): TokenClaims {
  if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer as TokenClaims;
  throw new Error("The introspection endpoint gave no JSON object.");
}
