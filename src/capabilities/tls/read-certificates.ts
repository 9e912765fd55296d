import { ConfigError } from "../../errors.ts";
import { rewriteError } from "../../logging/describe-error.ts";
import { readNamedFile } from "../../named-files.ts";
import type { ConnectionConfig, Show, TlsSettings } from "./connection-settings.ts";

/** What TLS connections are opened with, the files read. */
export function readTls(
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
      return { [name]: readNamedFile(path) };
    } catch (error) {
      const message = `The file ${JSON.stringify(shown(path))} of Tls.${key} cannot be read. Give the path of a PEM file, absolute or from the working directory.`;
      const cause = error instanceof Error ? rewriteError(error, shown) : error;
      throw new ConfigError(message, [{ code: "tls-file", path: `Tls.${key}`, message }], cause);
    }
  };
}
