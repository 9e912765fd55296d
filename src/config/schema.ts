import { z } from "zod";
import {
  byteCount,
  characters,
  clientParameters,
  count,
  culture,
  downstreamScheme,
  flag,
  httpMethod,
  httpMethods,
  integer,
  loadBalancerType,
  numberStyle,
  port,
  providerScheme,
  providerType,
  record,
  seconds,
  splitOption,
  text,
  texts,
} from "./values.ts";

/** File paths of certificates toward the downstream, and the name it is expected to have. */
export const tlsSchema = z.object({
  Ca: text.optional(),
  Cert: text.optional(),
  Key: text.optional(),
  ServerName: text.optional(),
});

/** Limits of one route, or of all: bytes, counts, seconds. */
export const limitsSchema = z.object({
  Body: byteCount.optional(),
  Url: count.optional(),
  Header: count.optional(),
  Concurrent: count.optional(),
  Connect: seconds.optional(),
  Upload: seconds.optional(),
  Sockets: count.optional(),
  Idle: seconds.optional(),
});

/** How a route chooses among several fixed hosts. */
export const loadBalancerSchema = z.object({ Type: loadBalancerType.optional() });

/** One fixed downstream host. */
export const hostSchema = z.object({ Host: text, Port: port.optional() });

/** One element of `Routes`. */
export const routeSchema = z.object({
  Key: text.optional(),
  UpstreamPathTemplate: text,
  UpstreamHttpMethod: httpMethods.optional(),
  UpstreamHost: text.optional(),
  UpstreamHeaderTemplates: record<string>().optional(),
  RouteIsCaseSensitive: flag.optional(),
  Priority: integer.optional(),
  DownstreamPathTemplate: text,
  DownstreamScheme: downstreamScheme.optional(),
  DownstreamHostAndPorts: z.array(hostSchema).optional(),
  DownstreamHttpMethod: httpMethod.optional(),
  ServiceName: text.optional(),
  LoadBalancerOptions: loadBalancerSchema.optional(),
  Timeout: seconds.optional(),
  RequestIdKey: text.optional(),
  ClientParameters: clientParameters.optional(),
  Limits: limitsSchema.optional(),
  AllowUpgrade: flag.optional(),
  AllowedOrigins: texts.optional(),
  Tls: tlsSchema.optional(),
  DangerousAcceptAnyServerCertificateValidator: flag.optional(),
  Metadata: record<string | null>().optional(),
  Extensions: z.unknown().optional(),
});

/** The naming service that knows where services run. */
export const providerSchema = z.object({
  Type: providerType,
  Host: text.optional(),
  Port: port.optional(),
  Scheme: providerScheme.optional(),
  AllowServiceNameParameter: flag.optional(),
  ClientParameters: clientParameters.optional(),
  Tls: tlsSchema.optional(),
});

/** How metadata values are converted when they are read; a member that is present counts even if it is empty. */
export const metadataOptionsSchema = z.object({
  CurrentCulture: culture.optional(),
  NumberStyle: numberStyle.optional(),
  Separators: texts.optional(),
  StringSplitOption: splitOption.optional(),
  TrimChars: characters.optional(),
});

/** The section `GlobalConfiguration`. */
export const globalSchema = z.object({
  BaseUrl: text.optional(),
  RequestIdKey: text.optional(),
  ServiceDiscoveryProvider: providerSchema.optional(),
  Metadata: record<string | null>().optional(),
  MetadataOptions: metadataOptionsSchema.optional(),
  Timeout: seconds.optional(),
  LoadBalancerOptions: loadBalancerSchema.optional(),
  Limits: limitsSchema.optional(),
  AllowedOrigins: texts.optional(),
  Tls: tlsSchema.optional(),
  Extensions: z.unknown().optional(),
});

/** Read-only all the way down. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** What was written for one route: canonical keys, values normalised, nothing added. */
export type RouteConfig = Frozen<z.output<typeof routeSchema>>;

/** What was written under `GlobalConfiguration`. */
export type GlobalConfig = Frozen<z.output<typeof globalSchema>>;

/** One fixed downstream host of a route. */
export type HostConfig = Frozen<z.output<typeof hostSchema>>;

/** The naming service of a configuration. */
export type ProviderConfig = Frozen<z.output<typeof providerSchema>>;

/** Limits of one route, or of all: bytes, counts, seconds. */
export type LimitsConfig = Frozen<z.output<typeof limitsSchema>>;

/** Certificates toward the downstream. */
export type TlsConfig = Frozen<z.output<typeof tlsSchema>>;
