import { flag, oneOf, port, scheme, text, value } from "../../schema/values.ts";
import { defineSection, list, required, scalar, section, word, type ValuesOf } from "../../schema/key.ts";
import { tlsSection } from "../../schema/tls-section.ts";
import { z } from "zod";
import { wordForm } from "../../schema/value-forms.ts";
import { namingParameters } from "./naming-parameters.ts";

const providerNames = new Set(["servicecluster", "servicefabric"]);

// The only provider, by its own name or by Ocelot's; whether another name is an error depends on the routes.
const providerType: z.ZodType<string> = value(
  "the name of a provider",
  (written) => (providerNames.has(written.trim().toLowerCase()) ? "ServiceCluster" : written.trim()),
  { form: wordForm(["ServiceCluster", "ServiceFabric"]) },
);

// The query parameters of the naming service that a route may let clients send.
const clientParameters: z.ZodType<string[]> = z.array(
  oneOf(namingParameters, "client-parameter-unknown"),
  "a list of parameter names",
);

/** The naming service. */
export const providerSection = defineSection(
  { name: "provider", heading: "ServiceDiscoveryProvider" },
  {
    Type: required(
      word(providerType, {
        type: "`ServiceCluster` or `ServiceFabric`",
        means: "Two names of the same provider",
        otherwise: "required",
        problems: ["provider-unknown", "provider-unused", "word-blanks"],
        ocelot: "`ServiceFabric`, here also `ServiceCluster`; any other, or none, is refused (`provider-unknown`)",
      }),
    ),
    Host: scalar(text, {
      type: "text",
      means: "Where the naming service is",
      otherwise: "`localhost`",
      problems: ["host-invalid"],
      ocelot: "without it, `localhost`",
    }),
    Port: scalar(port, {
      type: "whole number",
      means: "Its port",
      otherwise: "19081",
      problems: ["port-invalid", "port-without-tls", "own-address"],
      ocelot: "without it, 19081",
      absent: "zero",
    }),
    Scheme: word(scheme, {
      type: "`http` `https` `ws` `wss`",
      means: "Its scheme, where the route does not say `https` or `wss`",
      otherwise: "`http`",
      problems: ["scheme-unknown", "word-blanks"],
      ocelot: "`http` unless this or the route says `https` or `wss`",
    }),
    AllowServiceNameParameter: scalar(flag, {
      type: "boolean",
      means: "Whether a client may send a parameter `ServiceName`, which overrides the route",
      otherwise: "`false`",
    }),
    ClientParameters: list(clientParameters, {
      type: "list of names",
      means: "Which of its parameters clients may send, for routes without their own",
      otherwise: "all",
      examples: [["PartitionKind", "PartitionKey"]],
      problems: ["client-parameter-unknown", "list-empty", "lock-value-empty"],
      restricts: true,
    }),
    Tls: section(tlsSection, {
      type: "object",
      means: "Certificates toward the naming service",
      otherwise: "global",
      problems: ["tls-incomplete", "lock-value-empty"],
      restricts: true,
    }),
  },
);

/** The naming service of a configuration. */
export type ProviderConfig = ValuesOf<(typeof providerSection)["keys"]>;

/** Services by name, and the naming service that knows where they run. */
export const namingServiceKeys = {
  route: {
    ServiceName: scalar(text, {
      type: "template",
      means: "The service that [the naming service](naming-service.md) looks up: application, `/`, service",
      otherwise: "none",
      examples: ["Shop/Orders"],
      problems: [
        "provider-missing",
        "placeholder-missing",
        "rest-misplaced",
        "target-missing",
        "request-always-refused",
        "service-value-open",
        "service-continued",
      ],
      ocelot: "always the naming service; values that would leave their segment are refused with 400",
      absent: "blank",
    }),
    ClientParameters: list(clientParameters, {
      type: "list of names",
      means: "Which parameters of the naming service clients may send",
      otherwise: "all",
      examples: [["PartitionKind", "PartitionKey"]],
      problems: ["client-parameter-unknown", "list-empty", "lock-value-empty"],
      restricts: true,
    }),
  },
  global: {
    ServiceDiscoveryProvider: section(providerSection, {
      type: "object",
      means: "The naming service",
      otherwise: "none",
      problems: ["provider-missing"],
      ocelot: "the naming service only: no Consul, Eureka, Kubernetes, and none of your own",
    }),
  },
} as const;
