import { applyEdits, modify } from "jsonc-parser";
import type { Authenticator, ClaimValue } from "../../src/index.ts";
import type { TraceJwt, TraceScheme, TraceSetup } from "./trace.ts";

/** The configuration with the schemes of signed tokens that the recorded host had in code. */
export function withTokenSchemes(config: string, { jwt = {} }: TraceSetup): string {
  const path = ["GlobalConfiguration", "AuthenticationSchemes"];
  if (Object.keys(jwt).length === 0) return config;
  const schemes = Object.fromEntries(Object.entries(jwt).map(([name, scheme]) => [name, toJwtScheme(scheme)]));
  return applyEdits(config, modify(config, path, schemes, {}));
}

function toJwtScheme({ key, issuer, audience = "false", clockSkewSeconds = 0, tokenFromQuery }: TraceJwt): object {
  const From = tokenFromQuery === undefined ? ["Header"] : ["Header", `Query:${tokenFromQuery}`];
  return { Type: "Jwt", Issuer: issuer, Audience: audience, Secret: key, ClockTolerance: clockSkewSeconds, From };
}

/** The schemes of the recorded host's own. */
export function toAuthenticators({ schemes = {} }: TraceSetup): Readonly<Record<string, Authenticator>> {
  return Object.fromEntries(Object.entries(schemes).map(([name, scheme]) => [name, toAuthenticator(name, scheme)]));
}

function toAuthenticator(name: string, { header = "", keys = {}, throws = false }: TraceScheme): Authenticator {
  const byKey = new Map<unknown, Readonly<Record<string, ClaimValue>>>(Object.entries(keys));
  return Object.assign(recordedScheme, { challenge: name });

  function recordedScheme({ headers }: Parameters<Authenticator>[0]): ReturnType<Authenticator> {
    if (throws) throw new Error("The scheme fails.");
    const key = headers[header.toLowerCase()];
    const claims = byKey.get(key);
    return claims === undefined ? undefined : { id: String(key), claims };
  }
}
