import { knownKeys, type SectionName } from "../src/config/known-keys.ts";
import { missingKeys } from "../src/config/missing-keys.ts";

/** A key of Ocelot's, and what becomes of it here; the remark says how it differs, or what to use instead. */
export type OcelotKey = Readonly<{
  section: SectionName;
  name: string;
  verdict: "same" | "differs" | "not there";
  remark: string;
}>;

/** Keys that Ocelot does not have. */
const ownKeys: Readonly<Record<SectionName, readonly string[]>> = {
  root: ["Extensions"],
  route: ["ClientParameters", "Limits", "AllowUpgrade", "AllowedOrigins", "Tls", "Extensions"],
  host: [],
  loadBalancer: [],
  limits: Object.keys(knownKeys.limits),
  tls: Object.keys(knownKeys.tls),
  global: ["Limits", "AllowedOrigins", "Tls", "Extensions"],
  provider: ["AllowServiceNameParameter", "ClientParameters", "Tls"],
  options: [],
};

const loadBalancing = "without sticky sessions and balancers of your own";
const timeout = "may have a fraction; a time-out is answered with 504, in Ocelot with 503";
const requestId = "the id goes back to the client too; one that is no visible ASCII, or too long, is replaced";
const metadata = "values may be any JSON, which becomes text; read by `getMetadata`, for which `1` is no true `bool`";

const differences: Readonly<Partial<Record<SectionName, Readonly<Record<string, string>>>>> = {
  route: {
    Key: "names the route in logs, errors and `gateway.routes`; there are no aggregates that ask for it",
    UpstreamPathTemplate:
      "literal text is literal; the parameters of a query template match in any order; a placeholder that must have a value and finds none does not match",
    DownstreamPathTemplate:
      "a placeholder that is missing upstream stops the start; queries are passed on byte for byte; `/` toward the naming service keeps its slash",
    DownstreamHostAndPorts: "where the connection is refused, the next host is asked once",
    ServiceName: "always the naming service; values that would leave their segment are refused with 400",
    LoadBalancerOptions: loadBalancing,
    Timeout: timeout,
    RequestIdKey: requestId,
    Metadata: metadata,
    DangerousAcceptAnyServerCertificateValidator: "warns at each start",
  },
  loadBalancer: { Type: `${loadBalancing} (refused: \`load-balancer-unknown\`)` },
  global: {
    BaseUrl: "need not be written, and changes nothing; your code finds it as `config.baseUrl`",
    RequestIdKey: requestId,
    ServiceDiscoveryProvider: "the naming service only: no Consul, Eureka, Kubernetes, and none of your own",
    Metadata: metadata,
    Timeout: timeout,
    LoadBalancerOptions: loadBalancing,
  },
  provider: {
    Type: "`ServiceFabric`, here also `ServiceCluster`; any other, or none, is refused (`provider-unknown`)",
    Host: "without it, `localhost`",
    Port: "without it, 19081",
    Scheme: "`http` unless this or the route says `https` or `wss`",
  },
  options: {
    Separators: "replace the default instead of adding to it",
    TrimChars: "replace the default instead of adding to it",
    StringSplitOption: "`None` keeps empty entries",
  },
};

/** Every key of Ocelot's, in the order of the documentation, from the tables that the checker goes by. */
export function classifyOcelotKeys(): readonly OcelotKey[] {
  return (Object.keys(knownKeys) as SectionName[]).flatMap((section) => [...keptKeys(section), ...lostKeys(section)]);
}

function keptKeys(section: SectionName): readonly OcelotKey[] {
  const names = Object.keys(knownKeys[section]).filter((name) => !ownKeys[section].includes(name));
  return names.map((name) => {
    const remark = differences[section]?.[name];
    return { section, name, verdict: remark === undefined ? "same" : "differs", remark: remark ?? "" };
  });
}

function lostKeys(section: SectionName): readonly OcelotKey[] {
  return missingKeys(section).map(({ name, fate, remark }) => {
    return { section, name, verdict: fate === "old" ? "differs" : "not there", remark };
  });
}
