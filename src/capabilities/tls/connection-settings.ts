import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { ConfigError } from "../../errors.ts";
import { rewriteError } from "../../logging/describe-error.ts";
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
type TlsSettings = Readonly<{
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
}>;

/** What decides how a route's connections are opened. */
type ConnectionConfig = Readonly<
  Required<Omit<ConnectionSettings, "tls">> & { tls: TlsConfig | undefined; acceptAnyCertificate: boolean }
>;

/** What an error may tell of a text of the configuration. */
type Show = (text: string) => string;

/** The connection settings of one configuration. */
export type ConnectionRound = Readonly<{
  settingsFor: (config: ConnectionConfig) => ConnectionSettings;
  /** Puts the settings of this round into use; returns the settings that no route uses any more. */
  settle: () => ConnectionSettings[];
}>;

/**
 * Makes connection settings; routes that want the same get the same object, and so share connections. Each
 * configuration has a round of its own, in which certificates are read anew; settings with the same content as before
 * are the same object as before.
 */
export function createConnectionRegistry(): (shown: Show) => ConnectionRound {
  let inUse: ReadonlyMap<string, ConnectionSettings> = new Map();

  return function beginRound(shown) {
    const byConfig = new Map<string, ConnectionSettings>();
    const byContent = new Map<string, ConnectionSettings>();
    let last: Readonly<{ config: ConnectionConfig; settings: ConnectionSettings }> | undefined;
    return { settingsFor, settle };

    /** Most routes want the same as the one before. */
    function settingsFor(config: ConnectionConfig): ConnectionSettings {
      if (last === undefined || !isSame(last.config, config)) last = { config, settings: settingsAnew(config) };
      return last.settings;
    }

    function settingsAnew(config: ConnectionConfig): ConnectionSettings {
      const key = JSON.stringify(config);
      const { tls, acceptAnyCertificate, ...others } = config;
      const settings =
        byConfig.get(key) ?? findOrAdd({ ...others, tls: readTls({ tls, acceptAnyCertificate }, shown) });
      byConfig.set(key, settings);
      return settings;
    }

    function findOrAdd(wanted: ConnectionSettings): ConnectionSettings {
      const content = JSON.stringify(wanted);
      const settings = byContent.get(content) ?? inUse.get(content) ?? wanted;
      byContent.set(content, settings);
      return settings;
    }

    function settle(): ConnectionSettings[] {
      const unused = [...inUse].filter(([content]) => !byContent.has(content)).map(([, settings]) => settings);
      inUse = byContent;
      return unused;
    }
  };
}

function isSame(one: ConnectionConfig, other: ConnectionConfig): boolean {
  return (Object.keys(other) as (keyof ConnectionConfig)[]).every((name) => one[name] === other[name]);
}

function readTls(
  { tls = {}, acceptAnyCertificate }: Pick<ConnectionConfig, "tls" | "acceptAnyCertificate">,
  shown: Show,
): TlsSettings | undefined {
  const readInto = createReadInto(shown);
  const settings: TlsSettings = {
    ...readInto("ca", "Ca", tls.Ca),
    ...readInto("cert", "Cert", tls.Cert),
    ...readInto("key", "Key", tls.Key),
    ...(tls.ServerName === undefined ? {} : { servername: tls.ServerName }),
    ...(acceptAnyCertificate ? { rejectUnauthorized: false } : {}),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

type ReadInto = (name: "ca" | "cert" | "key", key: string, path: string | undefined) => TlsSettings;

/** A path may hold the value of a variable that is named like a secret; an error of the system quotes it. */
function createReadInto(shown: Show): ReadInto {
  return function readInto(name, key, path) {
    if (path === undefined) return {};
    try {
      return { [name]: readWholeFile(path) };
    } catch (error) {
      const message = `The file ${JSON.stringify(shown(path))} of Tls.${key} cannot be read. Give the path of a PEM file, absolute or from the working directory.`;
      const cause = error instanceof Error ? rewriteError(error, shown) : error;
      throw new ConfigError(message, [{ code: "tls-file", path: `Tls.${key}`, message }], cause);
    }
  };
}

const largestFile = 16 * 1024 * 1024;

/** A pipe to which nobody writes would stop the whole process, and a device may never end: neither is opened for long. */
function readWholeFile(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error("It is no regular file.");
    if (stat.size > largestFile) throw new Error(`It is larger than ${largestFile} bytes.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
