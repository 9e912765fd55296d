const text = { type: "string" };
const responses = {
  200: {
    description: "What the service was asked",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Received" } } },
  },
};

function parameter(name: string, place: "path" | "query", description: string): object {
  return { name, in: place, required: true, description, schema: text };
}

/** How the ordinary services describe themselves. Only some of it is reachable through the gateway. */
export const downstreamDocument = {
  openapi: "3.1.0",
  info: { title: "The ordinary services", version: "1.0.0" },
  servers: [{ url: "http://localhost:19082" }],
  paths: {
    "/offers/today": { get: { summary: "The offers of today", responses } },
    "/find": {
      get: {
        summary: "Finds items",
        parameters: [parameter("text", "query", "What is looked for"), parameter("from", "query", "Who asks")],
        responses,
      },
    },
    "/tenants/{name}/profile": {
      get: { summary: "The profile of a tenant", parameters: [parameter("name", "path", "The tenant")], responses },
    },
    "/notes/latest": {
      put: {
        summary: "Writes the latest note",
        requestBody: { content: { "text/plain": { schema: text } } },
        responses,
      },
    },
    "/internal/stock": { delete: { summary: "No route leads here: no client learns of it", responses } },
  },
  components: {
    schemas: {
      Received: { type: "object", properties: { service: text, received: text } },
      Stock: { type: "object" },
    },
  },
};
