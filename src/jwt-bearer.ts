import { globalConfigOf } from "./config/gateway-config.ts";
import { parseConfig } from "./config/parse-config.ts";
import { ConfigError, type ConfigProblem, GatewayError } from "./errors.ts";
import { type OptionNames, refuseUnknownOptions } from "./options/refuse-unknown-options.ts";
import type { Authenticator } from "./capabilities/authentication/authenticator.ts";
import { createConfiguredJwt } from "./capabilities/authentication/schemes/jwt/configured-jwt.ts";

/** What {@link jwtBearer} takes: what a scheme of `"Type": "Jwt"` has in a configuration. */
export type JwtBearerOptions = Readonly<{
  /** Whose tokens are taken; its discovery document names the keys. `false` checks no issuer. */
  issuer: string | false;
  /** For whom a token must be meant. `false` checks none. */
  audience: string | readonly string[] | false;
  /** Where the keys are, instead of the discovery document. */
  jwksUri?: string | undefined;
  /** A public key (PEM) or a set of keys (JWKS), instead of fetching them. */
  keyFile?: string | undefined;
  /** The secret of HS256, HS384 or HS512. */
  secret?: string | undefined;
  /** The algorithms that are taken; by default those that fit the key. */
  algorithms?: readonly string[] | undefined;
  /** What the header `typ` may be; `at+jwt`, `JWT` and `none`, for a token without one, by default. */
  types?: readonly string[] | undefined;
  /** Seconds by which clocks may differ; 60 by default. */
  clockTolerance?: number | undefined;
  /** Claims that every token must have, with this value or one of these. */
  requiredClaims?: Readonly<Record<string, unknown>> | undefined;
  /** Where tokens are found, in order: `Header`, `Subprotocol`, `Cookie:<name>`, `Query:<name>`; `Header` by default. */
  from?: string | readonly string[] | undefined;
  /** Whether the verified `Authorization` travels on to the downstream; `true` by default. */
  forward?: boolean | undefined;
  /** Whether a WebSocket goes on when the token that opened it has ended; `false` by default. */
  socketsOutliveToken?: boolean | undefined;
  /** Seconds that known keys go on while the issuer is down; 86400 by default. */
  keysMaxAge?: number | undefined;
}>;

const keyOf: Readonly<Record<keyof JwtBearerOptions, string>> = {
  issuer: "Issuer",
  audience: "Audience",
  jwksUri: "JwksUri",
  keyFile: "KeyFile",
  secret: "Secret",
  algorithms: "Algorithms",
  types: "Types",
  clockTolerance: "ClockTolerance",
  requiredClaims: "RequiredClaims",
  from: "From",
  forward: "Forward",
  socketsOutliveToken: "SocketsOutliveToken",
  keysMaxAge: "KeysMaxAge",
};

const optionNames = Object.fromEntries(Object.keys(keyOf).map((name) => [name, true])) as OptionNames<JwtBearerOptions>;

/** Makes a scheme of signed tokens for the option `authentication`: the one that a configuration describes as `Jwt`. */
export function jwtBearer(options: JwtBearerOptions): Authenticator {
  if (typeof options !== "object" || (options as unknown) === null) {
    throw new GatewayError("option-invalid", "jwtBearer() takes an object with issuer and audience.");
  }
  refuseUnknownOptions(options, optionNames, "jwtBearer()");
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return createConfiguredJwt(readScheme(given.map(([name, value]) => [keyOf[name as keyof JwtBearerOptions], value])));
}

/** The reader of configurations judges the options too, so that both ways to write a scheme have the same rules. */
function readScheme(members: readonly (readonly [string, unknown])[]): Parameters<typeof createConfiguredJwt>[0] {
  const AuthenticationSchemes = { jwtBearer: { Type: "Jwt", ...Object.fromEntries(members) } };
  try {
    const config = parseConfig({ Routes: [], GlobalConfiguration: { AuthenticationSchemes } }, { logger: false });
    return globalConfigOf(config)!.AuthenticationSchemes!.jwtBearer!;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = `Invalid options of jwtBearer(): ${error.problems.map(describe).join("; ")}.`;
    throw new GatewayError("option-invalid", message);
  }
}

const ownPath = "GlobalConfiguration.AuthenticationSchemes.jwtBearer";
const ownName = 'scheme "jwtBearer": ';

/** A problem in the words of whoever writes code: options instead of keys. */
function describe({ path, message }: ConfigProblem): string {
  const [key = "", rest = ""] = path.slice(ownPath.length + 1).split(/(?=\[)/, 2);
  const place = nameOf(key) + rest;
  const said = Object.values(keyOf).reduce(
    (text, known) => text.replaceAll(`"${known}"`, `"${nameOf(known)}"`),
    message,
  );
  return (place === "" ? "" : `${place}: `) + said.replace(ownName, "");
}

function nameOf(key: string): string {
  return Object.entries(keyOf).find(([, known]) => known === key)?.[0] ?? key;
}
