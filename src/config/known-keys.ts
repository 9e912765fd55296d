import type { z } from "zod";
import {
  globalSchema,
  hostSchema,
  limitsSchema,
  loadBalancerSchema,
  metadataOptionsSchema,
  providerSchema,
  routeSchema,
  tlsSchema,
} from "./schema.ts";

/** The kinds of objects a configuration is made of. */
export type SectionName =
  "root" | "route" | "host" | "loadBalancer" | "limits" | "tls" | "global" | "provider" | "options";

/**
 * How the value of a key is read: one scalar, an enumeration word, a list of scalars, an object of ours or a list of them,
 * metadata, texts by free name, the routes (read one by one), or anything at all.
 */
export type KeyKind =
  | "scalar"
  | "word"
  | "list"
  | "metadata"
  | "headerTemplates"
  | "routes"
  | "anything"
  | Readonly<{ section: SectionName }>
  | Readonly<{ sections: SectionName }>;

type KeysOf<Schema extends z.ZodObject> = Readonly<Record<keyof z.output<Schema>, KeyKind>>;

const routeKeys: KeysOf<typeof routeSchema> = {
  Key: "scalar",
  UpstreamPathTemplate: "scalar",
  UpstreamHttpMethod: "list",
  UpstreamHost: "scalar",
  UpstreamHeaderTemplates: "headerTemplates",
  RouteIsCaseSensitive: "scalar",
  Priority: "scalar",
  DownstreamPathTemplate: "scalar",
  DownstreamScheme: "word",
  DownstreamHostAndPorts: { sections: "host" },
  DownstreamHttpMethod: "word",
  ServiceName: "scalar",
  LoadBalancerOptions: { section: "loadBalancer" },
  Timeout: "scalar",
  RequestIdKey: "scalar",
  ClientParameters: "list",
  Limits: { section: "limits" },
  AllowUpgrade: "scalar",
  AllowedOrigins: "list",
  Tls: { section: "tls" },
  DangerousAcceptAnyServerCertificateValidator: "scalar",
  Metadata: "metadata",
  Extensions: "anything",
};

const globalKeys: KeysOf<typeof globalSchema> = {
  BaseUrl: "scalar",
  RequestIdKey: "scalar",
  ServiceDiscoveryProvider: { section: "provider" },
  Metadata: "metadata",
  MetadataOptions: { section: "options" },
  Timeout: "scalar",
  LoadBalancerOptions: { section: "loadBalancer" },
  Limits: { section: "limits" },
  AllowedOrigins: "list",
  Tls: { section: "tls" },
  Extensions: "anything",
};

const providerKeys: KeysOf<typeof providerSchema> = {
  Type: "word",
  Host: "scalar",
  Port: "scalar",
  Scheme: "word",
  AllowServiceNameParameter: "scalar",
  ClientParameters: "list",
  Tls: { section: "tls" },
};

const optionsKeys: KeysOf<typeof metadataOptionsSchema> = {
  CurrentCulture: "scalar",
  NumberStyle: "scalar",
  Separators: "list",
  StringSplitOption: "scalar",
  TrimChars: "list",
};

const limitsKeys: KeysOf<typeof limitsSchema> = {
  Body: "scalar",
  Url: "scalar",
  Header: "scalar",
  Concurrent: "scalar",
  Connect: "scalar",
  Upload: "scalar",
  Sockets: "scalar",
  Idle: "scalar",
};

const hostKeys: KeysOf<typeof hostSchema> = { Host: "scalar", Port: "scalar" };
const loadBalancerKeys: KeysOf<typeof loadBalancerSchema> = { Type: "word" };
const tlsKeys: KeysOf<typeof tlsSchema> = { Ca: "scalar", Cert: "scalar", Key: "scalar", ServerName: "scalar" };

/** Every key that is read, by the object it stands in. docs/configuration.md has one row for each. */
export const knownKeys: Readonly<Record<SectionName, Readonly<Record<string, KeyKind>>>> = {
  root: { Routes: "routes", GlobalConfiguration: { section: "global" }, Extensions: "anything" },
  route: routeKeys,
  host: hostKeys,
  loadBalancer: loadBalancerKeys,
  limits: limitsKeys,
  tls: tlsKeys,
  global: globalKeys,
  provider: providerKeys,
  options: optionsKeys,
};

/** The schema of each value, by the object its key stands in. */
export const valueSchemas: Readonly<Record<SectionName, Readonly<Record<string, z.ZodType>>>> = {
  root: {},
  route: routeSchema.shape,
  host: hostSchema.shape,
  loadBalancer: loadBalancerSchema.shape,
  limits: limitsSchema.shape,
  tls: tlsSchema.shape,
  global: globalSchema.shape,
  provider: providerSchema.shape,
  options: metadataOptionsSchema.shape,
};
