import { defineSection, scalar, section, sections, type ValuesOf } from "../schema/key.ts";
import { flag, text } from "../schema/values.ts";

const swaggerServiceSection = defineSection(
  { name: "swaggerService", heading: "Service" },
  {
    Name: scalar(text, {
      type: "text",
      absent: "blank",
      means: "The service whose instances have the document, as routes name it in `ServiceName`",
      otherwise: "required",
      examples: ["orders"],
      problems: ["swagger-document-missing"],
      ocelot: "same",
    }),
    Path: scalar(text, {
      type: "path",
      absent: "blank",
      means: "Where the document is there",
      otherwise: "`/swagger/v1/swagger.json`, with its `Version`",
      examples: ["/swagger/v1/swagger.json"],
      problems: ["swagger-url-invalid"],
      ocelot: "same",
    }),
  },
);

const swaggerConfigSection = defineSection(
  { name: "swaggerConfig", heading: "Config" },
  {
    Name: scalar(text, {
      type: "text",
      absent: "blank",
      means: "What the page calls the document",
      otherwise: "the endpoint's `Key`",
      examples: ["Orders API"],
      ocelot: "same",
    }),
    Version: scalar(text, {
      type: "text",
      absent: "blank",
      means: "The version in the path of the document: `docs/<Version>/<Key>`",
      otherwise: "`v1`",
      examples: ["v1"],
      problems: ["swagger-repeated"],
      ocelot: "same",
    }),
    Url: scalar(text, {
      type: "URL",
      means: "Where the service has its document",
      otherwise: "what `Service` says",
      absent: "blank",
      examples: ["http://orders.internal/swagger/v1/swagger.json"],
      problems: ["swagger-document-missing", "swagger-url-invalid"],
      ocelot: "same; redirects are not followed",
    }),
    Service: section(swaggerServiceSection, {
      type: "object",
      means: "A service that has the document, where a provider knows where it runs",
      otherwise: "none",
      ocelot: "same",
    }),
  },
);

const swaggerEndpointSection = defineSection(
  { name: "swaggerEndpoint", heading: "SwaggerEndPoints" },
  {
    Key: scalar(text, {
      type: "text",
      absent: "blank",
      means: "Whose documents these are: the routes with this `SwaggerKey`",
      otherwise: "required",
      examples: ["orders"],
      problems: ["swagger-key-missing", "swagger-repeated", "swagger-key-unused"],
      ocelot: "same",
    }),
    KeyToPath: scalar(text, {
      type: "text",
      absent: "blank",
      means: "What stands in the path of the documents instead of `Key`",
      otherwise: "that of `Key`",
      examples: ["orders"],
      ocelot: "can be written; there it is always the encoded `Key`",
    }),
    VersionPlaceholder: scalar(text, {
      type: "placeholder",
      means: "The placeholder of routes that stands for the version: in each document it is that document's `Version`",
      otherwise: "`{version}`",
      examples: ["{version}"],
      ocelot: "same",
    }),
    Config: sections(swaggerConfigSection, {
      type: "list of objects",
      means: "The documents of the service, one for each version",
      otherwise: "none",
      problems: ["swagger-document-missing"],
      ocelot: "same, but for what its keys tell",
    }),
    HostOverride: scalar(text, {
      type: "host or URL",
      absent: "blank",
      means: "Where clients reach the gateway, in the documents",
      otherwise: "where the document is, and the path of `BaseUrl`",
      examples: ["https://api.example.org"],
      problems: ["swagger-url-invalid"],
      ocelot: "same; without it the documents name no host at all",
    }),
    TransformByOcelotConfig: scalar(flag, {
      type: "boolean",
      means: "`false`: the documents are shown as the service writes them, with all that is in them",
      otherwise: "`true`",
      ocelot: "same",
    }),
    RemoveUnusedComponentsFromScheme: scalar(flag, {
      type: "boolean",
      means: "`false`: components that no operation needs stay",
      otherwise: "`true`",
      ocelot: "same",
    }),
    TakeServersFromDownstreamService: scalar(flag, {
      type: "boolean",
      means:
        "`true`: `servers` stay as the service writes them, and their paths are none of the paths that routes ask for",
      otherwise: "`false`",
      ocelot: "same",
    }),
  },
);

/** What is written of the documents of one service. */
export type SwaggerEndpointConfig = ValuesOf<(typeof swaggerEndpointSection)["keys"]>;

/** What is written of one document. */
export type SwaggerDocumentConfig = ValuesOf<(typeof swaggerConfigSection)["keys"]>;

/** The keys of SwaggerForOcelot, an add-on of Ocelot. */
export const openApiKeys = {
  route: {
    SwaggerKey: scalar(text, {
      type: "text",
      means: "The `Key` of the `SwaggerEndPoints` entry whose documents tell of this route; see [OpenAPI](openapi.md)",
      otherwise: "none: no document tells of it",
      examples: ["orders"],
      problems: ["swagger-key-unknown"],
      ocelot: "same, of the add-on SwaggerForOcelot",
      absent: "blank",
    }),
  },
  root: {
    SwaggerEndPoints: sections(swaggerEndpointSection, {
      type: "list of objects",
      means: "Where the services have their OpenAPI documents; see [OpenAPI](openapi.md)",
      otherwise: "none",
      ocelot: "of the add-on SwaggerForOcelot; the documents hold only what routes reach",
    }),
  },
} as const;
