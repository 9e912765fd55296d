import { scalar, section } from "../../schema/key.ts";
import { tlsSection } from "../../schema/tls-section.ts";
import { flag } from "../../schema/values.ts";

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
