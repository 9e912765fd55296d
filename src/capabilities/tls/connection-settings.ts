import type { TlsConfig } from "../../schema/tls-section.ts";

/** How connections of a route are opened; routes with equal settings share one object, and so their connections. */
export type ConnectionSettings = Readonly<{
  /** Milliseconds until a connection, its TLS handshake included, must stand. */
  connectTimeout: number;
  /** Milliseconds after which a connection is not used again; undefined for any time. */
  lifetime?: number | undefined;
  tls: TlsSettings | undefined;
  /** Of addresses at which no service should stand, those that are allowed; undefined where any address is. */
  allowedAddresses?: readonly string[] | undefined;
}>;

/** What a TLS connection is opened with. */
export type TlsSettings = Readonly<{
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
}>;

/** What decides how a route's connections are opened. */
export type ConnectionConfig = Readonly<
  Required<Omit<ConnectionSettings, "tls">> & { tls: TlsConfig | undefined; acceptAnyCertificate: boolean }
>;

/** What an error may tell of a text of the configuration. */
export type Show = (text: string) => string;
