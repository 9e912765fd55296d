import "./refuse-old-node.ts";

export {
  openApiDocuments,
  type OpenApiDocuments,
  type OpenApiDocumentsOptions,
} from "./openapi-pages/openapi-documents.ts";
