import type { JsonObject } from "../../json/json-object.ts";

/** What stands in a field of one of OpenAPI's objects. */
export type Field =
  | "text"
  | "flag"
  | "number"
  | "anything"
  /** Anything in which nothing looks like a reference. */
  | "plain"
  /** A list of texts, and one with at least one of anything: empty ones are left out. */
  | "texts"
  | "some"
  | Readonly<{ one: ShapeName; orFlag?: true }>
  | Readonly<{ list: ShapeName }>
  /** Objects by name; only names of that form count. */
  | Readonly<{ map: ShapeName; named?: RegExp }>
  /** Texts by name, each of which leads to an object. */
  | Readonly<{ references: ShapeName }>;

/** The objects that OpenAPI knows, and that an operation may need. */
export type ShapeName =
  | "operation"
  | "parameter"
  | "requestBody"
  | "mediaType"
  | "encoding"
  | "response"
  | "header"
  | "example"
  | "schema"
  | "items"
  | "discriminator"
  | "xml"
  | "externalDocs"
  | "tag"
  | "info"
  | "contact"
  | "license"
  | "securityScheme"
  | "flows"
  | "flow"
  | "server"
  | "serverVariable";

/** What one of OpenAPI's objects may hold: what is not named here is left out of documents. */
export type Shape = Readonly<{
  fields: Readonly<Record<string, Field>>;
  /** What is written where something is missing that must be there. */
  required?: Readonly<Record<string, unknown>>;
  /** Mends what a version asks for besides. */
  complete?: (copied: JsonObject) => JsonObject;
  /** Fields that are not named stay as they are, but for these. */
  openBut?: ReadonlySet<string>;
  /** Whether true or false may stand for one. */
  allowsFlag?: true;
  /** Where such objects stand that references lead to. */
  section?: string;
  /** What stands for one to which a reference leads nowhere; without it the one is left out. */
  replacement?: object;
  /** Whether other fields stand beside a reference. */
  keepsBesideReference?: true;
}>;

/** The objects of one version of OpenAPI. */
export type Shapes = Readonly<Partial<Record<ShapeName, Shape>>>;

/** Statuses, classes of them, and the rest. */
export const statusName = /^(?:[1-5](?:\d\d|XX)|default)$/;

/** Extensions are the service's own affair. */
export function isExtension(name: string): boolean {
  return /^x-/i.test(name);
}
