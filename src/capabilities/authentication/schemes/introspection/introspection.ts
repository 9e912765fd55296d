import type { Identity } from "../../../../identity/identity.ts";
import type { SchemeConfig } from "../../scheme-keys.ts";
import type { Authenticator } from "../../authenticator.ts";
import { bytesOfClaims } from "../tokens/bytes-of-claims.ts";
import { claimRulesOf, timeOf } from "../tokens/judge-claims.ts";
import { carriageOf } from "../tokens/carriage.ts";
import { createRemembered } from "../tokens/remembered-tokens.ts";
import { createTokenScheme } from "../tokens/token-scheme.ts";
import { createAskServer } from "./ask-server.ts";
import { isActive } from "./is-token-active.ts";
import { identityOf, type TokenClaims } from "../tokens/identity-of-token.ts";

const refusalMilliseconds = 10_000;

/** Recognises clients by a token of which an authorisation server says whether it is active (RFC 7662). */
export function createIntrospectionScheme(config: SchemeConfig): Authenticator {
  const rules = claimRulesOf(config);
  const askServer = createAskServer(config);
  // Apart from each other: tokens that somebody makes up push none out that were active.
  const active = createRemembered<Identity>();
  const refused = createRemembered<true>();
  const underWay = new Map<string, Promise<Identity | undefined>>();
  return createTokenScheme({ recall: active.find, judge: judgeByServer }, carriageOf(config, 0));

  function judgeByServer(token: string, known: Identity | undefined): ReturnType<Authenticator> {
    return known ?? (refused.find(token) === true ? undefined : askOnce(token));
  }

  /** One call for all who show the token in the meantime. */
  function askOnce(token: string): Promise<Identity | undefined> {
    const waiting = underWay.get(token);
    if (waiting !== undefined) return waiting;
    const asked = ask(token).finally(() => underWay.delete(token));
    underWay.set(token, asked);
    return asked;
  }

  async function ask(token: string): Promise<Identity | undefined> {
    const answer = await askServer(token);
    if (!isActive(answer, rules)) {
      refused.keep(token, true, { bytes: token.length, milliseconds: refusalMilliseconds });
      return undefined;
    }
    const identity = identityOf(answer, token);
    const bytes = bytesOfClaims(identity.claims) + token.length;
    active.keep(token, identity, { bytes, milliseconds: leftOf(answer) });
    return identity;
  }
}

/** How long a token is still valid. */
function leftOf({ exp }: TokenClaims): number {
  return (timeOf(exp) ?? Infinity) * 1_000 - Date.now();
}
