import { isObject, listOf, type JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import type { Budgets } from "../shapes/document-budgets.ts";
import { createComponents } from "../shapes/components.ts";
import { copyAll } from "../shapes/copy-shape.ts";
import type { CollectedComponents, ComponentPlaces } from "../shapes/components.ts";
import { placesOfVersion } from "../shapes/places-of-version.ts";
import { followReferences } from "../shapes/resolve-pointer.ts";
import { liftSchema } from "./lift-schema.ts";
import { nameHeirs, nameKinds } from "./discriminator-names.ts";
import type { MergedVersion, Part } from "./mergeable-document.ts";

/** Copies what a part says, with names that no other part has. */
export type AdoptedPart = Readonly<{
  /** Where its operations are, unless they say so themselves. */
  servers: readonly unknown[];
  /** Copies an operation, whose parameters in the path have other names in the merged document. */
  operation: (written: JsonObject, renamed: ReadonlyMap<string, string>) => Steps<JsonObject>;
  /** The components that the copied operations need; undefined where they come to too much. */
  components: (budgets: Budgets) => Steps<CollectedComponents | undefined>;
}>;

/** Prepares to copy a part into a document of a version, which may be a later one than its own. */
export function* adoptPart({ mark, document, keepsComponents }: Part, version: MergedVersion): Steps<AdoptedPart> {
  const { root } = document;
  const nameStart = `${mark}.`;
  const components = createComponents(root, {
    ...placesFor(document.version, version, nameStart),
    nameStart,
  });
  const { copy } = components;
  const usual = yield* copyAll(listOf(root.servers), "server", copy);
  return { servers: usual.length === 0 ? [{ url: "/" }] : usual, operation: copyOperation, components: collect };

  function* copyOperation(written: JsonObject, renamed: ReadonlyMap<string, string>): Steps<JsonObject> {
    const { operationId: id, parameters, security, servers } = written;
    const own = yield* copyAll(listOf(servers), "server", copy);
    const given = listOf(parameters).map((one) => rename(one, renamed));
    const described = yield* copyAll(given, "parameter", copy);
    return {
      ...((yield* copy(written, "operation")) as JsonObject),
      tags: [mark],
      ...(typeof id === "string" ? { operationId: nameStart + id } : {}),
      ...(described.length === 0 ? {} : { parameters: described }),
      ...(Array.isArray(security) ? { security: (security as JsonObject[]).map((one) => mapNames(one)) } : {}),
      ...(own.length === 0 ? {} : { servers: own }),
    };
  }

  function rename(parameter: unknown, renamed: ReadonlyMap<string, string>): unknown {
    const found = followReferences(root, parameter);
    const name = found?.in === "path" ? renamed.get(found.name as string) : undefined;
    return name === undefined || name === found?.name ? parameter : { ...found, name };
  }

  function* collect(budgets: Budgets): ReturnType<AdoptedPart["components"]> {
    if (keepsComponents) yield* components.needAll();
    const collected = yield* components.collect(budgets);
    if (collected === undefined) return undefined;
    const { schemas = {}, ...others } = collected;
    const { components: written } = root;
    const schemes = isObject(written) && isObject(written.securitySchemes) ? written.securitySchemes : {};
    const securitySchemes = mapNames(schemes);
    const isAllowed = yield* budgets.written.allows(securitySchemes);
    return isAllowed ? { ...others, schemas: yield* nameHeirs(schemas, nameStart), securitySchemes } : undefined;
  }

  /** The gateway's own schemes are the same in all documents; those of two services are not. */
  function mapNames(bySchemes: JsonObject): JsonObject {
    const named = Object.entries(bySchemes).map(([name, value]) => {
      return [name.startsWith("service_") ? nameStart + name : name, value] as const;
    });
    return Object.fromEntries(named);
  }
}

function placesFor(from: MergedVersion, to: MergedVersion, beginning: string): ComponentPlaces {
  const { shapes, prefix } = placesOfVersion[from];
  const lift = from === to ? (schema: JsonObject): JsonObject => schema : liftSchema;
  const complete = (schema: JsonObject): JsonObject => nameKinds(lift(schema), beginning);
  return { prefix, shapes: { ...shapes, schema: { ...shapes.schema!, complete } } };
}
