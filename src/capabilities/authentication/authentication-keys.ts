import {
  anything,
  defineSection,
  list,
  record,
  required,
  routeKeys,
  scalar,
  section,
  sections,
  word,
  type ValuesOf,
} from "../../schema/key.ts";
import { flag, oneOf, seconds, text, textOrTexts, texts } from "../../schema/values.ts";

const authenticationSection = defineSection(
  { name: "authentication", heading: "AuthenticationOptions", isLock: true },
  {
    AuthenticationProviderKey: scalar(text, {
      type: "text",
      means: "A scheme that is asked before the others",
      otherwise: "none",
      examples: ["Bearer"],
      problems: ["lock-contradictory"],
      ocelot: "same; a route that names any scheme replaces the global ones",
      absent: "blank",
    }),
    AuthenticationProviderKeys: list(texts, {
      type: "list of texts",
      means: "The schemes that are asked, in order; the first that recognises somebody counts",
      otherwise: "none",
      examples: [["Bearer", "Partners"]],
      problems: ["lock-contradictory", "lock-value-empty"],
      ocelot: "same; a text for the list is refused, where Ocelot leaves the route open",
    }),
    AllowedScopes: list(texts, {
      type: "list of texts",
      means: "One of them must be among the claims `scope` or `scp`",
      otherwise: "global, else none",
      examples: [["orders.read"]],
      problems: ["lock-contradictory", "lock-value-empty"],
      ocelot: "also the claim `scp`",
    }),
    AllowAnonymous: scalar(flag, {
      type: "boolean",
      means: "Whether the route stands open although there is a global scheme",
      otherwise: "global, else `false`",
      problems: ["lock-contradictory"],
      ocelot: "a global `true` opens no route that names a scheme, scopes or claims of its own",
    }),
    RouteKeys: routeKeys,
  },
);

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
        type: "64 hexadecimal digits",
        means: "The SHA-256 of the key; see [who may come in](authentication.md)",
        otherwise: "required",
        problems: ["scheme-incomplete", "api-key-invalid"],
      }),
    ),
    Claims: anything({ type: "object", means: "The claims of whoever shows the key", otherwise: "none" }),
  },
);

const schemeTypes = ["Jwt", "ApiKey"] as const;

/** One entry of `AuthenticationSchemes`. */
export const schemeSection = defineSection(
  { name: "scheme", heading: "AuthenticationSchemes", isLock: true },
  {
    Type: required(
      word(oneOf(schemeTypes, "scheme-type-unknown"), {
        type: "`Jwt` `ApiKey`",
        means: "How clients are recognised: by a signed token, or by a key",
        otherwise: "required",
        problems: ["scheme-type-unknown", "scheme-incomplete", "word-blanks"],
      }),
    ),
    Issuer: scalar(text, {
      type: "URL or `false`",
      means: "`Jwt`: whose tokens are taken; its discovery document names the keys. `false` checks no issuer",
      otherwise: "required",
      examples: ["https://login.example.org"],
      problems: ["scheme-incomplete", "scheme-url-invalid"],
    }),
    Audience: list(textOrTexts, {
      type: "text, list of texts or `false`",
      means: "`Jwt`: for whom a token must be meant. `false` checks none",
      otherwise: "required",
      examples: ["orders-api"],
      problems: ["scheme-incomplete"],
    }),
    JwksUri: scalar(text, {
      type: "URL",
      means: "`Jwt`: where the keys are, instead of the discovery document",
      otherwise: "none",
      problems: ["scheme-contradictory", "scheme-url-invalid"],
    }),
    KeyFile: scalar(text, {
      type: "path",
      means: "`Jwt`: a public key (PEM) or a set of keys (JWKS), instead of fetching them",
      otherwise: "none",
      problems: ["scheme-contradictory"],
    }),
    Secret: scalar(text, {
      type: "text of 32 bytes or more",
      means: "`Jwt`: the secret of HS256, HS384 or HS512; as `${VARIABLE}`",
      otherwise: "none",
      problems: ["scheme-contradictory", "scheme-secret-weak"],
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
    ClockTolerance: scalar(seconds, {
      type: "seconds",
      means: "`Jwt`: how far clocks may differ",
      otherwise: "60",
    }),
    RequiredClaims: anything({
      type: "object",
      means: "`Jwt`: claims that every token must have, with this value or one of these",
      otherwise: "none",
      examples: [{ tid: "3f2a" }],
    }),
    Forward: scalar(flag, {
      type: "boolean",
      means: "Whether the verified `Authorization` travels on to the downstream",
      otherwise: "`true`",
    }),
    KeysMaxAge: scalar(seconds, {
      type: "seconds",
      means: "`Jwt`: how long known keys go on while the issuer is down",
      otherwise: "86400",
    }),
    Header: scalar(text, {
      type: "header name",
      means: "`ApiKey`: the header that carries the key",
      otherwise: "`X-Api-Key`",
      problems: ["header-name-invalid", "header-name-reserved"],
    }),
    Keys: sections(apiKeySection, {
      type: "list of keys",
      means: "`ApiKey`: the keys that are taken",
      otherwise: "none",
      problems: ["scheme-incomplete", "api-key-invalid"],
    }),
  },
);

/** Who is asking: which schemes hold where, and what they are. */
export const authenticationKeys = {
  route: {
    AuthenticationOptions: section(authenticationSection, {
      type: "object",
      means: "Which schemes must recognise the client",
      otherwise: "global, else open",
      problems: ["lock-key-unknown"],
      ocelot: "schemes are those of `AuthenticationSchemes` or of the option `authentication`",
      isLock: true,
    }),
  },
  global: {
    AuthenticationOptions: section(authenticationSection, {
      type: "object",
      means: "Which schemes must recognise the clients of routes without their own",
      otherwise: "none",
      problems: ["lock-key-unknown"],
      ocelot: "schemes are those of `AuthenticationSchemes` or of the option `authentication`",
      isLock: true,
    }),
    AuthenticationSchemes: record(schemeSection, {
      type: "schemes by name",
      means: "What the names of schemes stand for; the option `authentication` goes before it",
      otherwise: "none",
      problems: ["lock-key-unknown"],
      isLock: true,
    }),
  },
} as const;

/** A scheme as the configuration describes it. */
export type SchemeConfig = ValuesOf<(typeof schemeSection)["keys"]>;

/** Whether an issuer or an audience says that it is not to be compared: `false`. */
export function isSwitchedOff(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === "false";
}
