import { defineSection, scalar, type ValuesOf } from "./key.ts";
import { text } from "./values.ts";

/** File paths of certificates, and the name that is expected in one. */
export const tlsSection = defineSection(
  { name: "tls", heading: "Tls" },
  {
    Ca: scalar(text, { isPath: true, type: "path", means: "Whom to trust", otherwise: "the system's authorities" }),
    Cert: scalar(text, {
      isPath: true,
      type: "path",
      means: "The gateway's own certificate",
      otherwise: "none",
      problems: ["tls-incomplete"],
    }),
    Key: scalar(text, {
      isPath: true,
      type: "path",
      means: "The key of the certificate",
      otherwise: "none",
      problems: ["tls-incomplete"],
    }),
    ServerName: scalar(text, {
      type: "text",
      means: "The name that the downstream's certificate must have",
      otherwise: "the host",
    }),
  },
);

/** Certificates toward the downstream. */
export type TlsConfig = ValuesOf<(typeof tlsSection)["keys"]>;
