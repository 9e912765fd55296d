import type { CredentialPlaces } from "../../capabilities/authentication/credential-places.ts";
import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { requirementOf } from "../../identity/required-schemes.ts";
import { isObject, type JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import type { OpenApiDocument, OpenApiVersion } from "../reading/read-document.ts";
import type { CopyShape } from "../shapes/copy-shape.ts";
import { toName } from "../shapes/component-name.ts";
import { resolvePointer } from "../shapes/resolve-pointer.ts";

/** What is known of a scheme of the gateway without asking it. */
export type SchemeFacts = Readonly<{ reads: CredentialPlaces; challenge: string | undefined }>;

/** Who may call what, in the words of OpenAPI. */
export type Security = Readonly<{
  /** The requirements of an operation of a route; undefined where anybody may call it. */
  of: (route: RouteConfig, operation: JsonObject) => Steps<readonly object[] | undefined>;
  /** The schemes that were asked for so far, by name. */
  schemes: () => Readonly<Record<string, unknown>>;
}>;

/** What the security of a document is made of. */
type SecuritySettings = Readonly<{
  document: OpenApiDocument;
  copy: CopyShape;
  global: Pick<GlobalConfig, "AuthenticationOptions">;
  factsOf: (scheme: string) => SchemeFacts;
}>;

/** Describes who may call what: a route that the gateway locks asks for its schemes, any other for what the service asks. */
export function createSecurity({ document, copy, global, factsOf }: SecuritySettings): Security {
  const { root, version } = document;
  const schemes = new Map<string, unknown>();
  const namesOfService = new Map<string, string | undefined>();
  return { of: requirementsOf, schemes: () => Object.fromEntries(schemes) };

  function* requirementsOf(route: RouteConfig, operation: JsonObject): ReturnType<Security["of"]> {
    const requirement = requirementOf(route, global);
    if (requirement === undefined)
      return yield* requirementsOfService(operation.security ?? root.security, nameOfService);
    const { schemes: names, scopes } = requirement;
    // Only 3.1 has scopes for these kinds; one of them is enough.
    const lists = version === "3.1" && scopes.length > 0 ? scopes.map((scope) => [scope]) : [[]];
    return names.flatMap((name) => lists.map((list) => ({ [nameOfScheme(name)]: list })));
  }

  function nameOfScheme(scheme: string): string {
    const name = toName(scheme);
    schemes.set(name, describeScheme(factsOf(scheme), version));
    return name;
  }

  /** The service may have a scheme of the same name as the gateway, and mean another one. */
  function* nameOfService(scheme: string): Steps<string | undefined> {
    if (namesOfService.has(scheme)) return namesOfService.get(scheme);
    const name = `service_${toName(scheme)}`;
    const written = findScheme(scheme);
    const copied = written === undefined ? undefined : yield* copy(written, "securityScheme");
    if (copied !== undefined) schemes.set(name, copied);
    namesOfService.set(scheme, copied === undefined ? undefined : name);
    return namesOfService.get(scheme);
  }

  function findScheme(scheme: string): unknown {
    const { components } = root;
    const all = version === "2.0" ? root.securityDefinitions : isObject(components) ? components.securitySchemes : {};
    const written = isObject(all) && Object.hasOwn(all, scheme) ? all[scheme] : undefined;
    const isReference = isObject(written) && typeof written.$ref === "string";
    return isReference ? resolvePointer(root, written.$ref as string) : written;
  }
}

/** Finds the name that a service's scheme has in the new document; undefined for one that it does not define. */
type NameOfScheme = (scheme: string) => Steps<string | undefined>;

function* requirementsOfService(written: unknown, nameOf: NameOfScheme): ReturnType<Security["of"]> {
  if (!Array.isArray(written)) return undefined;
  const known: object[] = [];
  for (const one of written as unknown[]) {
    const renamed = isObject(one) ? yield* renameSchemes(one, nameOf) : undefined;
    if (renamed !== undefined) known.push(renamed);
  }
  return known.length === 0 ? undefined : known;
}

/** Undefined where one of them is not known. */
function* renameSchemes(requirement: JsonObject, nameOf: NameOfScheme): Steps<object | undefined> {
  const renamed: [string, unknown][] = [];
  for (const [written, scopes] of Object.entries(requirement)) {
    yield;
    const name = yield* nameOf(written);
    if (name === undefined || !isTexts(scopes)) return undefined;
    renamed.push([name, scopes]);
  }
  return Object.fromEntries(renamed);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function describeScheme({ reads, challenge }: SchemeFacts, version: OpenApiVersion): object {
  const { headers = [], cookies = [], query = [] } = reads;
  const isAuthorization = headers.some((name) => name.toLowerCase() === "authorization");
  if (isAuthorization) return describeAuthorization(challenge, version);
  if (headers[0] !== undefined) return { type: "apiKey", in: "header", name: headers[0] };
  if (cookies[0] !== undefined && version !== "2.0") return { type: "apiKey", in: "cookie", name: cookies[0] };
  if (query[0] !== undefined) return { type: "apiKey", in: "query", name: query[0] };
  return { type: "apiKey", in: "header", name: cookies[0] === undefined ? "Authorization" : "Cookie" };
}

function describeAuthorization(challenge: string | undefined, version: OpenApiVersion): object {
  const scheme = (/^[\w-]+/.exec(challenge ?? "")?.[0] ?? "bearer").toLowerCase();
  if (version !== "2.0") return { type: "http", scheme };
  return scheme === "basic" ? { type: "basic" } : { type: "apiKey", in: "header", name: "Authorization" };
}
