import { defineSection, exact, list, required, scalar, sections, word, type ValuesOf } from "../../schema/key.ts";
import { flag, oneOf, seconds, secondsOrZero, text, textOrTexts, texts } from "../../schema/values.ts";

/** A digest as it is written. */
export const sha256 = /^[\da-f]{64}$/i;

const apiKeySection = defineSection(
  { name: "apiKey", heading: "API key", isLock: true },
  {
    Name: required(
      scalar(text, {
        type: "text",
        means: "Whose key it is; the id of the identity",
        otherwise: "required",
        problems: ["scheme-incomplete"],
      }),
    ),
    Sha256: required(
      scalar(text, {
        isSecret: { unless: sha256 },
        type: "64 hexadecimal digits",
        means: "The SHA-256 of the key; see [who may come in](authentication.md)",
        otherwise: "required",
        problems: ["scheme-incomplete", "api-key-invalid"],
      }),
    ),
    Claims: exact({ type: "object", means: "The claims of whoever shows the key", otherwise: "none" }),
  },
);

/** What `Type` may be. */
export const schemeTypes = ["Jwt", "Introspection", "ApiKey"] as const;

/** One entry of `AuthenticationSchemes`. */
export const schemeSection = defineSection(
  { name: "scheme", heading: "AuthenticationSchemes", isLock: true },
  {
    Type: required(
      word(oneOf(schemeTypes, "scheme-type-unknown"), {
        type: "`Jwt` `Introspection` `ApiKey`",
        means: "How clients are recognised: by a signed token, by a token that its server is asked about, or by a key",
        otherwise: "required",
        problems: ["scheme-type-unknown", "scheme-incomplete", "word-blanks"],
      }),
    ),
    Issuer: scalar(text, {
      type: "URL or `false`",
      means:
        "`Jwt`, `Introspection`: whose tokens are taken. For `Jwt` its discovery document names the keys. `false` checks none",
      otherwise: "required",
      examples: ["https://login.example.org"],
      problems: ["scheme-incomplete", "scheme-url-invalid"],
    }),
    Audience: list(textOrTexts, {
      type: "text, list of texts or `false`",
      means: "`Jwt`, `Introspection`: for whom a token must be meant. `false` checks none",
      otherwise: "required",
      examples: ["orders-api"],
      problems: ["scheme-incomplete", "scheme-contradictory"],
    }),
    JwksUri: scalar(text, {
      type: "URL",
      means: "`Jwt`: where the keys are, instead of the discovery document",
      otherwise: "none",
      problems: ["scheme-contradictory", "scheme-url-invalid"],
    }),
    KeyFile: scalar(text, {
      isPath: true,
      type: "path",
      means: "`Jwt`: a public key (PEM) or a set of keys (JWKS), instead of fetching them",
      otherwise: "none",
      problems: ["scheme-contradictory"],
    }),
    Secret: scalar(text, {
      isSecret: true,
      type: "text of 32 bytes or more",
      means: "`Jwt`: the secret of HS256, HS384 or HS512; as `${VARIABLE}`",
      otherwise: "none",
      problems: ["scheme-contradictory", "scheme-secret-weak", "secret-literal", "secret-unexpanded"],
    }),
    Algorithms: list(texts, {
      type: "list of texts",
      means: "`Jwt`: the algorithms that are taken",
      otherwise: "those that fit the key",
      examples: [["RS256", "ES256"]],
      problems: ["scheme-contradictory"],
    }),
    Types: list(texts, {
      type: "list of texts",
      means: "`Jwt`: what the header `typ` of a token may be; `none` stands for a token without one",
      otherwise: "`at+jwt`, `JWT`, `none`",
    }),
    ClockTolerance: scalar(secondsOrZero, {
      type: "seconds from 0",
      means: "`Jwt`: how far clocks may differ",
      otherwise: "60",
    }),
    RequiredClaims: exact({
      type: "object",
      means: "`Jwt`, `Introspection`: claims that every token must have, with this value or one of these",
      otherwise: "none",
      examples: [{ tid: "3f2a" }],
      problems: ["lock-value-empty"],
      countsUnset: true,
    }),
    From: list(textOrTexts, {
      type: "text or list of texts",
      means:
        "`Jwt`, `Introspection`: where tokens are found, in order: `Header`, `Subprotocol`, `Cookie:<name>`, `Query:<name>`",
      otherwise: "`Header`",
      examples: [["Header", "Cookie:session"]],
      problems: ["scheme-place-unknown", "lock-value-empty"],
    }),
    Forward: scalar(flag, {
      type: "boolean",
      means: "Whether the verified `Authorization` travels on to the downstream; tokens from elsewhere never do",
      otherwise: "`true`",
      problems: ["scheme-contradictory"],
    }),
    SocketsOutliveToken: scalar(flag, {
      type: "boolean",
      means: "`Jwt`, `Introspection`: whether a WebSocket goes on when the token that opened it has ended",
      otherwise: "`false`",
    }),
    KeysMaxAge: scalar(seconds, {
      type: "seconds",
      means: "`Jwt`: how long known keys go on while the issuer is down",
      otherwise: "86400",
    }),
    Url: scalar(text, {
      type: "URL",
      means: "`Introspection`: where the server is asked about a token (RFC 7662)",
      otherwise: "required",
      examples: ["https://login.example.org/introspect"],
      problems: ["scheme-incomplete", "scheme-url-invalid"],
    }),
    ClientId: scalar(text, {
      type: "text",
      means: "`Introspection`: as whom the gateway asks",
      otherwise: "required",
      problems: ["scheme-incomplete"],
    }),
    ClientSecret: scalar(text, {
      isSecret: true,
      type: "text",
      means: "`Introspection`: the secret of `ClientId`; as `${VARIABLE}`",
      otherwise: "required",
      problems: ["scheme-incomplete", "secret-literal", "secret-unexpanded"],
    }),
    Header: scalar(text, {
      type: "header name",
      means: "`ApiKey`: the header that carries the key",
      otherwise: "`X-Api-Key`",
      problems: ["header-name-invalid", "header-name-reserved", "scheme-header-untrusted"],
    }),
    Keys: sections(apiKeySection, {
      textIsSecret: { unless: /^\$\{\w+(:-)?\}$/ },
      itemForm: '{ "Name": …, "Sha256": … }',
      type: "list of keys",
      means: "`ApiKey`: the keys that are taken",
      otherwise: "none",
      problems: ["scheme-incomplete", "api-key-invalid"],
    }),
  },
);

/** A scheme as the configuration describes it. */
export type SchemeConfig = ValuesOf<(typeof schemeSection)["keys"]>;

/** Whether an issuer or an audience says that it is not to be compared: `false`. */
export function isSwitchedOff(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === "false";
}
