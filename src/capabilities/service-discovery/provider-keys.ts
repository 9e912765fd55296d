import { z } from "zod";
import { namingParameters } from "../../discovery/naming-parameters.ts";
import { providerTypes } from "../../discovery/usual-ports.ts";
import { defineSection, list, scalar, section, type ValuesOf, word } from "../../schema/key.ts";
import { tlsSection } from "../../schema/tls-section.ts";
import { wordForm } from "../../schema/value-forms.ts";
import { flag, milliseconds, oneOf, port, scheme, seconds, text, texts, value } from "../../schema/values.ts";

/** The types that the gateway itself knows, and Ocelot's name of the naming service. */
export const writtenTypes: readonly string[] = [...Object.keys(providerTypes), "ServiceFabric"];

const typesByLowerCase = new Map<string, string>([
  ...Object.keys(providerTypes).map((name) => [name.toLowerCase(), name] as const),
  ["servicefabric", "ServiceCluster"],
]);

// Any other name is one of the option `discovery`, which is not known here.
const providerType: z.ZodType<string> = value(
  "the name of a provider",
  (written) => typesByLowerCase.get(written.trim().toLowerCase()) ?? written.trim(),
  { form: { anyOf: [...(wordForm(writtenTypes).anyOf as object[]), {}] } },
);

/** The query parameters of the naming service that a route may let clients send. */
export const clientParameters: z.ZodType<string[]> = z.array(
  oneOf(namingParameters, "client-parameter-unknown"),
  "a list of parameter names",
);

/** Who knows where services run. */
export const providerSection = defineSection(
  { name: "provider", heading: "ServiceDiscoveryProvider" },
  {
    Type: word(providerType, {
      type: "`Consul` `PollConsul` `Kube` `PollKube` `WatchKube` `Eureka` `Dns` `ServiceCluster`, or a name of the option `discovery`",
      means:
        "Who is asked; `ServiceFabric` is another name of `ServiceCluster`, which is [the naming service](naming-service.md)",
      otherwise: "`Consul`",
      problems: ["provider-unused", "word-blanks"],
      ocelot: "`Dns` is added; providers of your own stand in the option `discovery`",
    }),
    Host: scalar(text, {
      type: "text",
      means: "Where the provider is",
      otherwise: "`localhost`; for Kubernetes the cluster around the pod, for `Dns` the system's servers",
      problems: ["host-invalid", "provider-url"],
      ocelot: "for Eureka it is not read; here a URL is taken for what it says, with a warning",
    }),
    Port: scalar(port, {
      type: "whole number",
      means: "Its port",
      otherwise: "8500 for Consul, 443 for Kubernetes, 8761 for Eureka, 53 for `Dns`, 19081 for the naming service",
      problems: ["port-invalid", "port-without-tls", "own-address"],
      ocelot: "without it, the provider's usual one",
      absent: "zero",
    }),
    Scheme: word(scheme, {
      type: "`http` `https` `ws` `wss`",
      means: "Its scheme; toward the naming service only where the route does not say `https` or `wss`",
      otherwise: "`http`; `https` for Kubernetes",
      problems: ["scheme-unknown", "word-blanks"],
      ocelot: "that of the provider only; instances are spoken to by the route's, else by their own",
    }),
    Token: scalar(text, {
      type: "text",
      means: "What the registry knows the gateway by; written as `${VARIABLE}`",
      otherwise: "none",
      isSecret: { unless: /^\$\{\w+(:-)?\}$/ },
      ocelot: "same",
    }),
    TokenFile: scalar(text, {
      type: "path",
      means: "A file with the token, which is read again and again",
      otherwise: "for Kubernetes the token of the pod's service account",
    }),
    PollingInterval: scalar(milliseconds, {
      type: "whole number of milliseconds",
      means: "How often those are asked that do not tell by themselves what changes",
      otherwise: "5000",
      absent: "zero",
      ocelot: "also for `Kube`, `Eureka`, `Dns` and a Consul without index; never at each request",
    }),
    Namespace: scalar(text, {
      type: "text",
      means: "The namespace of services in Kubernetes, for routes without their own",
      otherwise: "the pod's, else `default`",
      problems: ["service-name-invalid"],
      ocelot: "same",
    }),
    ConfigurationKey: scalar(text, {
      type: "text",
      means: "Not read: a configuration in the key store of Consul",
      otherwise: "none",
      problems: ["configuration-elsewhere"],
      ocelot: "refused: its routes and locks would be missing",
      absent: "blank",
    }),
    UseNodeName: scalar(flag, {
      type: "boolean",
      means: "Whether a Consul node's name is the host of an instance, as in Ocelot, and not its address",
      otherwise: "`false`",
    }),
    AllowAnyService: scalar(flag, {
      type: "boolean",
      means: "Whether clients may reach also those services of the registry that `DynamicRoutes` does not list",
      otherwise: "`false`",
    }),
    AllowAddresses: list(texts, {
      type: "list of addresses, networks and ranges",
      means: "Where instances may stand although it is this machine, link-local or multicast",
      otherwise: "none; all where the provider itself is on this machine",
      examples: [["169.254.10.0/24"]],
      problems: ["address-invalid"],
    }),
    MaxStale: scalar(seconds, {
      type: "seconds",
      means: "How long the last list counts while the provider fails",
      otherwise: "600",
    }),
    AllowServiceNameParameter: scalar(flag, {
      type: "boolean",
      means: "Whether a client may send the naming service a parameter `ServiceName`, which overrides the route",
      otherwise: "`false`",
    }),
    ClientParameters: list(clientParameters, {
      type: "list of names",
      means: "Which parameters of the naming service clients may send, for routes without their own",
      otherwise: "all",
      examples: [["PartitionKind", "PartitionKey"]],
      problems: ["client-parameter-unknown", "list-empty", "lock-value-empty"],
      restricts: true,
    }),
    Tls: section(tlsSection, {
      type: "object",
      means: "Certificates toward the provider",
      otherwise: "global for the naming service, else the system's authorities",
      problems: ["tls-incomplete", "lock-value-empty"],
      restricts: true,
    }),
  },
);

/** A provider of a configuration. */
export type ProviderConfig = ValuesOf<(typeof providerSection)["keys"]>;
