import { hash } from "node:crypto";
import type { ConnectionConfig, ConnectionSettings, Show } from "./connection-settings.ts";
import { createReadTls } from "./read-certificates.ts";

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
    const readTls = createReadTls(shown);
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
      const settings = byConfig.get(key) ?? findOrAdd({ ...others, tls: readTls({ tls, acceptAnyCertificate }) });
      byConfig.set(key, settings);
      return settings;
    }

    function findOrAdd(wanted: ConnectionSettings): ConnectionSettings {
      const content = contentOf(wanted);
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

const digests = new WeakMap<Buffer, string>();

/**
 * The content of settings as a short text: V8 finds one long text among others of its length only by comparing them all,
 * and bundles of authorities are long.
 */
function contentOf({ tls, ...others }: ConnectionSettings): string {
  if (tls === undefined) return JSON.stringify(others);
  const { ca, cert, key, ...rest } = tls;
  return JSON.stringify([others, rest, ...[ca, cert, key].map((file) => file && digestOf(file))]);
}

function digestOf(file: Buffer): string {
  const digest = digests.get(file) ?? hash("sha256", file, "base64url");
  digests.set(file, digest);
  return digest;
}

function isSame(one: ConnectionConfig, other: ConnectionConfig): boolean {
  return (Object.keys(other) as (keyof ConnectionConfig)[]).every((name) => one[name] === other[name]);
}
