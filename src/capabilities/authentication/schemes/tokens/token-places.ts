import type { IncomingMessage } from "node:http";
import { splitCookies } from "../../../../headers/cookies.ts";
import { onlyLineOf } from "../../../../headers/header-sent-once.ts";
import { splitQuery } from "../../../../urls/client-query.ts";
import { formDecode } from "../../../../urls/form-decode.ts";
import { queryOf } from "../../../../urls/path-and-query.ts";
import { readBearerProtocol } from "../../bearer-protocol.ts";
import type { CredentialPlaces } from "../../credential-places.ts";

/** A place in which clients show their tokens. */
export type TokenPlace = Readonly<{
  reads: CredentialPlaces;
  /** What stands there as a token, whatever its form; one that is sent twice is none. */
  find: (req: IncomingMessage) => string | undefined;
}>;

const bearer = /^bearer +/i;

const header: TokenPlace = {
  reads: { headers: ["authorization"] },
  find(req) {
    const authorization = onlyLineOf(req, "authorization");
    const word = authorization === undefined ? undefined : bearer.exec(authorization)?.[0];
    return word === undefined ? undefined : authorization!.slice(word.length);
  },
};

const subprotocol: TokenPlace = {
  reads: { subprotocol: true },
  find: ({ headers }) => onlyToken(readBearerProtocol(headers["sec-websocket-protocol"]).tokens),
};

const fixedPlaces: Readonly<Record<string, TokenPlace>> = { header, subprotocol };
const namedPlaces: Readonly<Record<string, (name: string) => TokenPlace>> = { cookie: ofCookie, query: ofParameter };

/** What `From` may hold, for messages. */
export const placeForms = 'one of "Header", "Subprotocol", "Cookie:<name>", "Query:<name>"';

/** The place that a word of `From` means; undefined for a word that means none. */
export function readPlace(word: string): TokenPlace | undefined {
  const text = word.trim();
  const colon = text.indexOf(":");
  if (colon === -1) return ownOf(fixedPlaces, text);
  const name = text.slice(colon + 1).trim();
  return name === "" ? undefined : ownOf(namedPlaces, text.slice(0, colon).trim())?.(name);
}

function ownOf<Value>(values: Readonly<Record<string, Value>>, word: string): Value | undefined {
  const key = word.toLowerCase();
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

function ofCookie(name: string): TokenPlace {
  return {
    reads: { cookies: [name] },
    find: ({ headers: { cookie = "" } }) =>
      cookie.includes(name) ? onlyToken(valuesOf(splitCookies(cookie), name)) : undefined,
  };
}

function ofParameter(name: string): TokenPlace {
  return {
    reads: { query: [name] },
    find({ url = "" }) {
      const query = queryOf(url);
      if (query === undefined) return undefined;
      const found = splitQuery(query).filter((parameter) => parameter.name === name);
      return onlyToken(found.map(({ raw }) => formDecode(/=(.*)/.exec(raw)?.[1] ?? "")));
    },
  };
}

function valuesOf(pairs: ReturnType<typeof splitCookies>, wanted: string): readonly string[] {
  return pairs.filter(({ name }) => name === wanted).map(({ value }) => value);
}

function onlyToken(tokens: readonly string[]): string | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}
