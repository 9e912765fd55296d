import { readFileSync } from "node:fs";
import type { TlsConfig } from "./config/schema.ts";
import { ConfigError } from "./errors.ts";
import type { ConnectionSettings, TlsSettings } from "./proxy/engine.ts";

/** What decides how a route's connections are opened. */
export type ConnectionConfig = Readonly<{
  connectTimeout: number;
  tls: TlsConfig | undefined;
  acceptAnyCertificate: boolean;
}>;

/** Makes connection settings; routes that want the same get the same object, and so share connections. */
export function createConnectionRegistry(): (config: ConnectionConfig) => ConnectionSettings {
  const known = new Map<string, ConnectionSettings>();
  return function connectionSettings(config) {
    const key = JSON.stringify(config);
    const settings = known.get(key) ?? { connectTimeout: config.connectTimeout, tls: readTls(config) };
    known.set(key, settings);
    return settings;
  };
}

function readTls({ tls = {}, acceptAnyCertificate }: ConnectionConfig): TlsSettings | undefined {
  const settings: TlsSettings = {
    ...readInto("ca", "Ca", tls.Ca),
    ...readInto("cert", "Cert", tls.Cert),
    ...readInto("key", "Key", tls.Key),
    ...(tls.ServerName === undefined ? {} : { servername: tls.ServerName }),
    ...(acceptAnyCertificate ? { rejectUnauthorized: false } : {}),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function readInto(name: "ca" | "cert" | "key", key: string, path: string | undefined): TlsSettings {
  if (path === undefined) return {};
  try {
    return { [name]: readFileSync(path) };
  } catch (cause) {
    const message = `The file ${JSON.stringify(path)} of Tls.${key} cannot be read. Give the path of a PEM file, absolute or from the working directory.`;
    throw new ConfigError(message, [{ code: "tls-file", path: `Tls.${key}`, message }], cause);
  }
}
