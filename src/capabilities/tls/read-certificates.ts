import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { ConfigError } from "../../errors.ts";
import { rewriteError } from "../../logging/describe-error.ts";
import { readNamedFile } from "../../named-files.ts";
import type { ConnectionConfig, Show, TlsSettings } from "./connection-settings.ts";

/** Reads what the TLS connections of a route are opened with. */
type ReadTls = (wanted: Pick<ConnectionConfig, "tls" | "acceptAnyCertificate">) => TlsSettings | undefined;

/** Prepares to read the files of one configuration: each is read and tried out once, however many routes name it. */
export function createReadTls(shown: Show): ReadTls {
  const readInto = createReadInto(shown);
  const triedOut = new Set<string>();

  return function readTls({ tls = {}, acceptAnyCertificate }) {
    const { Ca, Cert, Key, ServerName } = tls;
    const settings: TlsSettings = {
      ...readInto("ca", "Ca", Ca),
      ...readInto("cert", "Cert", Cert),
      ...readInto("key", "Key", Key),
      ...(ServerName === undefined ? {} : { servername: ServerName }),
      ...(acceptAnyCertificate ? { rejectUnauthorized: false } : {}),
    };
    const files = JSON.stringify([Ca, Cert, Key]);
    if (!triedOut.has(files)) refuseUnusable(settings, shown);
    triedOut.add(files);
    return Object.keys(settings).length === 0 ? undefined : settings;
  };
}

/**
 * Refuses what no connection could be opened with: each request would fail as if the service were at fault. Of a certificate
 * that is renewed its key may come later, or half of a file.
 */
function refuseUnusable({ ca, cert, key }: TlsSettings, shown: Show): void {
  tryOut("Ca", "The file of Tls.Ca holds no certificates in PEM, or one that cannot be read.", () => ca && readAll(ca));
  const noPair = "The files of Tls.Cert and Tls.Key are no certificate in PEM and its own key, without a passphrase.";
  tryOut("Cert", noPair, () => cert && createSecureContext({ cert, key }));

  function tryOut(name: string, finding: string, use: () => void): void {
    try {
      use();
    } catch (error) {
      const message = `${finding} Where files are being renewed, that is over once all of them are there.`;
      const cause = error instanceof Error ? rewriteError(error, shown) : error;
      throw new ConfigError(message, [{ code: "tls-file", path: `Tls.${name}`, message }], cause);
    }
  }
}

const beforePem = /^(?=-----BEGIN )/m;
const certificate = /^-----BEGIN [A-Z\d ]*CERTIFICATE/;

/** TLS takes authorities in PEM only, and is silent about what it cannot read, and about all that stands behind that. */
function readAll(ca: Buffer): void {
  const certificates = ca
    .toString("latin1")
    .split(beforePem)
    .filter((block) => certificate.test(block));
  if (certificates.length === 0) throw new Error("There is no certificate in PEM.");
  for (const block of certificates) new X509Certificate(block);
}

type ReadInto = (name: "ca" | "cert" | "key", key: string, path: string | undefined) => TlsSettings;

/** A path may hold the value of a variable that is named like a secret; an error of the system quotes it. */
function createReadInto(shown: Show): ReadInto {
  const files = new Map<string, Buffer>();
  return function readInto(name, key, path) {
    if (path === undefined) return {};
    try {
      const file = files.get(path) ?? readNamedFile(path);
      files.set(path, file);
      return { [name]: file };
    } catch (error) {
      const message = `The file ${JSON.stringify(shown(path))} of Tls.${key} cannot be read. Give the path of a PEM file, absolute or from the working directory.`;
      const cause = error instanceof Error ? rewriteError(error, shown) : error;
      throw new ConfigError(message, [{ code: "tls-file", path: `Tls.${key}`, message }], cause);
    }
  };
}
