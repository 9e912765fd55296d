type Json = Readonly<Record<string, unknown>>;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const sectionsOf3 = ["schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes"];

/** What is wrong with a document by the rules of its version of OpenAPI, as far as narrowing could break them. */
export function findFaults(document: Json): string[] {
  const faults: string[] = [];
  const isTwo = document.swagger === "2.0";
  const components = (isTwo ? document : (document.components ?? {})) as Record<string, Json>;
  const { title, version } = (document.info ?? {}) as Json;
  if (typeof title !== "string" || typeof version !== "string") faults.push("info lacks a title or a version");
  if (!isTwo && !/^3\.[01]\.\d+$/.test(String(document.openapi))) faults.push("no version");
  if (!isTwo) {
    for (const [name, section] of Object.entries(components)) {
      if (!sectionsOf3.includes(name)) faults.push(`components.${name} is unknown`);
      for (const key of Object.keys(section)) if (!/^[\w.-]+$/.test(key)) faults.push(`the name ${key} is none`);
    }
  }
  checkReferences(document, document, isTwo, faults);
  checkPaths(document, components, isTwo, faults);
  return faults;
}

function checkPaths(document: Json, components: Record<string, Json>, isTwo: boolean, faults: string[]): void {
  const ids = new Set<unknown>();
  const shapes = new Set<string>();
  const schemes = (isTwo ? components.securityDefinitions : components.securitySchemes) ?? {};
  for (const [path, item] of Object.entries((document.paths ?? {}) as Record<string, Json>)) {
    if (!path.startsWith("/")) faults.push(`${path} is no path`);
    const shape = path.replace(/\{[^{}]+\}/g, "{}");
    if (shapes.has(shape)) faults.push(`${path} is there twice`);
    shapes.add(shape);
    for (const [method, operation] of Object.entries(item) as [string, Json][]) {
      const at = `${method} ${path}`;
      if (!methods.includes(method)) faults.push(`${at}: unknown method`);
      const { operationId: id, responses, security = [] } = operation;
      if (id !== undefined && ids.has(id)) faults.push(`${at}: its id is there twice`);
      ids.add(id);
      if (Object.keys(responses ?? {}).length === 0) faults.push(`${at}: no responses`);
      checkParameters(at, path, resolveAll(document, operation.parameters), isTwo, faults);
      for (const name of (security as Json[]).flatMap((one) => Object.keys(one))) {
        if (!Object.hasOwn(schemes, name)) faults.push(`${at}: the scheme ${name} is unknown`);
      }
    }
  }
}

function checkParameters(
  at: string,
  path: string,
  parameters: readonly Json[],
  isTwo: boolean,
  faults: string[],
): void {
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { in: place, name, required, schema, content, type } = parameter;
    const key = `${String(place)} ${String(name)}`;
    if (seen.has(key)) faults.push(`${at}: ${key} is there twice`);
    seen.add(key);
    if (place === "path" && required !== true) faults.push(`${at}: ${key} is not required`);
    const hasForm =
      isTwo && place !== "body" ? typeof type === "string" : schema !== undefined || content !== undefined;
    if (!hasForm) faults.push(`${at}: ${key} has no type`);
  }
  const written = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => `path ${name!}`);
  for (const key of written) if (!seen.has(key)) faults.push(`${at}: ${key} is not described`);
  for (const key of seen) {
    if (key.startsWith("path ") && !written.includes(key)) faults.push(`${at}: ${key} is not in the path`);
  }
}

function resolveAll(document: Json, parameters: unknown): Json[] {
  return ((parameters ?? []) as Json[]).map((one) => (typeof one.$ref === "string" ? find(document, one.$ref) : one));
}

function find(document: unknown, reference: string): Json {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => (at as Json | undefined)?.[decodeURIComponent(name)], document) as Json;
}

/** References lead to something, extensions are gone; what examples and the like hold is data. */
function checkReferences(document: Json, value: unknown, isTwo: boolean, faults: string[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (["example", "default", "enum", "const", "examples"].includes(name)) continue;
    if (name === "$ref" && typeof inner === "string") {
      if (!/^#\/(?:components\/[a-zA-Z]+|definitions|parameters|responses)\/[\w.-]+$/.test(inner)) {
        faults.push(`${inner} leads elsewhere`);
      } else if ((find(document, inner) as unknown) === undefined) faults.push(`${inner} leads nowhere`);
    }
    checkReferences(document, inner, isTwo, faults);
  }
}
