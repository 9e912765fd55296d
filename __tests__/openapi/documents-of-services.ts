export const info = { title: "Own", version: "1" };
export const responses = { 200: { description: "well" } };

const answering = (schema: object): object => ({
  200: { description: "well", content: { "application/json": { schema } } },
});

/** A document whose only operation answers with the schema A. */
export function three(schemas: object, rest: object = {}): object {
  const get = { operationId: "read", tags: ["own"], responses: answering({ $ref: "#/components/schemas/A" }) };
  return { openapi: "3.0.1", info, paths: { "/a": { get } }, components: { schemas }, ...rest };
}

/** So many places of documents that are to be merged. */
export const placesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    return { endpoint: {}, key: `k${index}`, version: "v1", name: `K${index}`, source: { url: "http://k" } };
  });
