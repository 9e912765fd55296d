import { list, record, scalar, section } from "../../schema/key.ts";
import { text } from "../../schema/values.ts";
import { clientParameters, providerSection } from "./provider-keys.ts";

/** Services by name, and who knows where they run. */
export const serviceDiscoveryKeys = {
  route: {
    ServiceName: scalar(text, {
      type: "template",
      means:
        "The service that [a provider finds](service-discovery.md); for [the naming service](naming-service.md) application, `/`, service",
      otherwise: "none",
      examples: ["orders", "Shop/Orders"],
      problems: [
        ...(["provider-missing", "placeholder-missing", "rest-misplaced", "target-missing"] as const),
        ...(["request-always-refused", "service-value-open", "service-continued"] as const),
        ...(["service-name-invalid", "service-name-open", "service-ignored", "lock-bypassed"] as const),
      ],
      ocelot: "values that would leave their segment are refused with 400; toward a registry the start is refused",
      absent: "blank",
    }),
    ServiceNamespace: scalar(text, {
      type: "text",
      means: "The namespace of the service in Kubernetes, and what a provider of your own gets",
      otherwise: "the provider's `Namespace`",
      problems: ["service-name-invalid"],
      ocelot: "same",
      absent: "blank",
    }),
    ServiceProvider: scalar(text, {
      type: "text",
      means: "Which of `Providers` finds the service",
      otherwise: "that of all routes",
      problems: ["provider-missing"],
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
      means: "Who knows where the services of routes run",
      otherwise: "none",
      problems: ["provider-missing", "provider-unused"],
      ocelot: "asked in the background, never at each request",
    }),
    Providers: record(providerSection, {
      type: "objects by name",
      means: "Further ones, for routes that name one in `ServiceProvider`",
      otherwise: "none",
      problems: ["provider-unused"],
    }),
  },
} as const;
