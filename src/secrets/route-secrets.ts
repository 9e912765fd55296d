import { bareServiceName } from "../capabilities/naming-service/bare-service-name.ts";
import type { RouteConfig } from "../config/sections.ts";
import { parseTemplate, placeholderNames, type TemplatePart } from "../templates/template.ts";
import { namesOf, parseUpstreamTemplate, type UpstreamTemplate } from "../templates/upstream-template.ts";
import { queryOf } from "../urls/path-and-query.ts";
import { isNamingParameter } from "../discovery/naming-parameters.ts";
import { type CredentialNames, credentialNamesOf } from "./credentials-of-schemes.ts";
import { isSecretHeader, looksSecret, looksSecretValue } from "./secret-names.ts";
import { variableSecretsWrittenFor } from "./variable-secrets.ts";

/** What of a route tells which parts of its requests are secret. */
export type RedactingRoute = Pick<
  RouteConfig,
  | "UpstreamPathTemplate"
  | "DownstreamPathTemplate"
  | "UpstreamHeaderTemplates"
  | "ServiceName"
  | "AddQueriesToRequest"
  | "ChangeDownstreamPathTemplate"
>;

/** Which parts of a route's requests are secret; found out once. */
export type RouteSecrets = Readonly<{
  /** The placeholders whose values are secret. */
  placeholders: readonly string[];
  /** Parameters with a literal value, in lower case: an operator's key is sent like that. */
  fixedParameters: ReadonlySet<string>;
  /** Parameters that take, or are given, the value of a secret placeholder; in lower case. */
  secretParameters: ReadonlySet<string>;
  /** The placeholders that claims fill. */
  claims: readonly string[];
  /** Whether a secret placeholder takes the whole query, or a claim is part of the name of a parameter. */
  wholeQuery: boolean;
  /** The path as clients ask for it, and as it is sent. */
  asked: readonly TemplatePart[];
  sent: readonly TemplatePart[];
  /** Values of variables named like secrets that stand in the route. */
  variables: readonly string[];
  /** Where schemes look for credentials. */
  credentials: CredentialNames;
}>;

const known = new WeakMap<RedactingRoute, RouteSecrets>();

/** Which parts of a route's requests are secret. */
export function routeSecretsOf(route: RedactingRoute): RouteSecrets {
  const before = known.get(route);
  // A gateway may have been made meanwhile whose own schemes look elsewhere.
  if (before?.credentials === credentialNamesOf(route)) return before;
  const secrets = findRouteSecrets(route);
  known.set(route, secrets);
  return secrets;
}

function findRouteSecrets(route: RedactingRoute): RouteSecrets {
  const asked = parseUpstreamTemplate(route.UpstreamPathTemplate, route.UpstreamHeaderTemplates);
  const sent = parseUpstreamTemplate(route.DownstreamPathTemplate);
  const credentials = credentialNamesOf(route);
  const placeholders = findSecretPlaceholders(asked, sent, credentials);
  const claims = Object.keys(route.ChangeDownstreamPathTemplate ?? {});
  const added = Object.keys(route.AddQueriesToRequest ?? {}).map((name) => name.toLowerCase());
  const parameters = [...asked.query, ...sent.query];
  const holdsSecret = ({ value }: (typeof parameters)[number]): boolean =>
    namesOf(value).some((name) => placeholders.has(name) || claims.includes(name));
  const fixed = parameters.filter(({ value }) => value.parts.some((part) => typeof part === "string"));
  const service = route.ServiceName === undefined ? undefined : bareServiceName(route.ServiceName);
  return {
    placeholders: [...placeholders],
    fixedParameters: namesIn(fixed),
    secretParameters: new Set([...namesIn(parameters.filter(holdsSecret)), ...added]),
    claims,
    wholeQuery:
      [asked.wholeQuery, sent.wholeQuery].some((name) => name !== undefined && placeholders.has(name)) ||
      namesParameter(route.DownstreamPathTemplate, claims),
    asked: asked.path.parts,
    sent: service === undefined ? sent.path.parts : ["/", ...parseTemplate(service).parts, ...sent.path.parts],
    variables: variableSecretsWrittenFor(route),
    credentials,
  };
}

function namesParameter(template: string, claims: readonly string[]): boolean {
  const names = (queryOf(template) ?? "").split("&").map((parameter) => parameter.split("=", 1)[0]!);
  return claims.length > 0 && names.flatMap(placeholderNames).some((name) => claims.includes(name));
}

function namesIn(parameters: UpstreamTemplate["query"]): ReadonlySet<string> {
  return new Set(parameters.map(({ name }) => name.toLowerCase()));
}

/** A placeholder is a secret by its own name, and by that of the parameter or header it comes from or goes to. */
function findSecretPlaceholders(
  asked: UpstreamTemplate,
  sent: UpstreamTemplate,
  credentials: CredentialNames,
): ReadonlySet<string> {
  const named = [...asked.origins.keys()].filter((name) => looksSecretValue(name, credentials));
  const taken = asked.query.filter(({ name }) => looksSecretValue(name, credentials));
  const carried = asked.headers.filter(({ name }) => isSecretHeader(name, credentials));
  const given = sent.query.filter(({ name }) => looksSecret(name) && !isNamingParameter(name));
  return new Set([...named, ...[...taken, ...carried, ...given].flatMap(({ value }) => namesOf(value))]);
}
