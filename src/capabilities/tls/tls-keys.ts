import { flag, text } from "../../schema/values.ts";
import { defineSection, scalar, section, type ValuesOf } from "../../schema/key.ts";

/** File paths of certificates, and the name that is expected in one. */
export const tlsSection = defineSection(
  { name: "tls", heading: "Tls" },
  {
    Ca: scalar(text, { type: "path", means: "Whom to trust", otherwise: "the system's authorities" }),
    Cert: scalar(text, {
      type: "path",
      means: "The gateway's own certificate",
      otherwise: "none",
      problems: ["tls-incomplete"],
    }),
    Key: scalar(text, {
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

/** TLS toward the downstream. */
export const tlsKeys = {
  route: {
    Tls: section(tlsSection, {
      type: "object",
      means: "Certificates toward the downstream",
      otherwise: "the provider's, else global",
      problems: ["tls-incomplete", "lock-value-empty"],
      restricts: true,
    }),
    DangerousAcceptAnyServerCertificateValidator: scalar(flag, {
      type: "boolean",
      means: "Whether any certificate of the downstream will do",
      otherwise: "`false`",
      problems: ["certificate-unverified"],
      ocelot: "warns at each start",
    }),
  },
  global: {
    Tls: section(tlsSection, {
      type: "object",
      means: "Certificates toward the downstream, for routes without their own",
      otherwise: "the system's authorities",
      problems: ["tls-incomplete", "lock-value-empty"],
      restricts: true,
    }),
  },
} as const;
