/** How the page reads documents of all versions. */
export const readScript = `const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const longestChain = 16;
const deepestSample = 6;

/** Follows references within the document. */
export function resolve(root, value) {
  for (let left = longestChain; left > 0 && typeof value?.$ref === "string"; left -= 1) {
    value = value.$ref.slice(2).split("/").reduce((at, name) => (isOwn(at, decodeURIComponent(name)) ? at[decodeURIComponent(name)] : undefined), root);
  }
  return value;
}

function isOwn(object, name) {
  return typeof object === "object" && object !== null && Object.hasOwn(object, name);
}

export function operationsOf(root) {
  return Object.entries(root.paths ?? {}).flatMap(([path, item]) =>
    methods.filter((method) => isOwn(item, method)).map((method) => ({ path, method: method.toUpperCase(), operation: item[method] })),
  );
}

/** Where clients reach the gateway, as a URL; it may be relative to the document. */
export function serverOf(root, operation, documentUrl) {
  if (root.swagger !== undefined) {
    const { host, schemes = [], basePath = "/" } = root;
    const origin = host === undefined ? documentUrl : (schemes[0] ?? new URL(documentUrl).protocol.slice(0, -1)) + "://" + host;
    return new URL(basePath, origin).href;
  }
  const { url = "/", variables = {} } = (operation.servers ?? root.servers ?? [])[0] ?? {};
  const filled = url.replace(/\\{([^{}]+)\\}/g, (_, name) => variables[name]?.default ?? "");
  return new URL(filled, documentUrl).href;
}

export function schemesOf(root) {
  return root.securityDefinitions ?? root.components?.securitySchemes ?? {};
}

export function schemasOf(root) {
  return root.definitions ?? root.components?.schemas ?? {};
}

export function parametersOf(root, operation) {
  return (operation.parameters ?? []).map((one) => resolve(root, one)).filter((one) => one !== undefined);
}

/** What may be sent as a body: its media types, and the schema of each. */
export function bodiesOf(root, operation) {
  const own = parametersOf(root, operation);
  const body = own.find((one) => one.in === "body");
  const types = operation.consumes ?? root.consumes ?? ["application/json"];
  if (body !== undefined) return types.map((type) => ({ type, schema: body.schema }));
  const fields = own.filter((one) => one.in === "formData");
  if (fields.length > 0) {
    const properties = Object.fromEntries(fields.map((one) => [one.name, one]));
    const type = fields.some((one) => one.type === "file") ? "multipart/form-data" : (types.find((one) => /form/.test(one)) ?? "application/x-www-form-urlencoded");
    return [{ type, schema: { type: "object", properties } }];
  }
  const content = resolve(root, operation.requestBody)?.content ?? {};
  return Object.entries(content).map(([type, { schema, example }]) => ({ type, schema, example }));
}

/** A value as the schema asks for it. */
export function sampleOf(root, written, depth = 0) {
  const schema = resolve(root, written);
  if (typeof schema !== "object" || schema === null || depth > deepestSample) return null;
  const { example, examples, default: usual, enum: words, allOf, oneOf, anyOf, properties, items } = schema;
  const given = example ?? (Array.isArray(examples) ? examples[0] : undefined) ?? usual ?? schema.const ?? words?.[0];
  if (given !== undefined) return given;
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((one) => sampleOf(root, one, depth + 1)));
  if (oneOf !== undefined || anyOf !== undefined) return sampleOf(root, (oneOf ?? anyOf)[0], depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array") return [sampleOf(root, items, depth + 1)];
  if (type === "object" || properties !== undefined) {
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, inner]) => [name, sampleOf(root, inner, depth + 1)]));
  }
  return { string: "", integer: 0, number: 0, boolean: false }[type] ?? null;
}
`;
