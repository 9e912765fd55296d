import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { createGateway, type GatewayConfig, parseConfig } from "../../src/index.ts";
import { selfSigned } from "../simulator/self-signed.ts";

const makers: readonly Readonly<{ kind: string; make: (path: string) => string }>[] = [
  {
    kind: "a pipe to which nobody writes",
    make: (path) => {
      execFileSync("mkfifo", [path]);
      return path;
    },
  },
  { kind: "a device that never ends", make: () => "/dev/zero" },
  { kind: "a file without an end that says it is empty", make: () => "/proc/self/pagemap" },
  { kind: "a directory", make: () => tmpdir() },
  {
    kind: "a file that is far too large",
    make: (path) => {
      writeFileSync(path, "");
      truncateSync(path, 64 * 1024 * 1024);
      return path;
    },
  },
];

test.each(makers)("a certificate is read at once, or not at all: $kind", ({ make }) => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-"));
  try {
    const config = configWith({ Ca: make(join(folder, "ca.pem")) });
    expect(() => createGateway(config, { logger: false })).toThrow("of Tls.Ca cannot be read");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const others = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
}).privateKey;

test.each([
  { kind: "an authority that is empty", files: { Ca: "" }, error: "The file of Tls.Ca holds no certificates in PEM" },
  { kind: "an authority that is a key", files: { Ca: selfSigned.key }, error: "The file of Tls.Ca holds no" },
  { kind: "a half authority", files: { Ca: selfSigned.cert.slice(0, 300) }, error: "The file of Tls.Ca holds no" },
  {
    kind: "a half authority behind a whole one",
    files: { Ca: `${selfSigned.cert}${selfSigned.cert.slice(0, 300)}` },
    error: "The file of Tls.Ca holds no",
  },
  {
    kind: "a half authority before a whole one",
    files: { Ca: `${selfSigned.cert.slice(0, 300)}\n${selfSigned.cert}` },
    error: "The file of Tls.Ca holds no",
  },
  {
    kind: "an authority that begins within a line",
    files: { Ca: `authority ${selfSigned.cert}` },
    error: "The file of Tls.Ca holds no",
  },
  {
    kind: "the key of another certificate",
    files: { Cert: selfSigned.cert, Key: others },
    error: "The files of Tls.Cert and Tls.Key are no certificate in PEM and its own key",
  },
])("what no connection could be opened with stops the start: $kind", ({ files, error }) => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-"));
  try {
    const Tls = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, write(join(folder, name), text)]),
    );
    expect(() => createGateway(configWith(Tls), { logger: false })).toThrow(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function write(path: string, text: string): string {
  writeFileSync(path, text);
  return path;
}

function configWith(Tls: object): GatewayConfig {
  return parseConfig({ Routes: [routeWith(0, Tls)] }, { logger: false });
}

function routeWith(id: number, Tls: object): object {
  return {
    UpstreamPathTemplate: `/${id}`,
    DownstreamPathTemplate: "/a",
    DownstreamScheme: "https",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1" }],
    Tls,
  };
}

test("hundreds of routes with one long bundle of authorities keep it once, and a reload costs little", async () => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-"));
  try {
    const Ca = write(join(folder, "bundle.pem"), rootCertificates.join("\n"));
    const routes = 300;
    const namedAnew = (round: number): GatewayConfig =>
      parseConfig({
        Routes: Array.from({ length: routes }, (_, id) => routeWith(id, { Ca, ServerName: `h${round}-${id}.test` })),
      });
    const gateway = createGateway(namedAnew(1), { logger: false });
    const before = process.cpuUsage();
    for (const round of [2, 3]) await gateway.reload(namedAnew(round));
    const { user, system } = process.cpuUsage(before);
    // Each text of a whole bundle, compared with all others of its length, took 16 seconds for each reload.
    expect((user + system) / 1_000).toBeLessThan(3_000);
    await gateway.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
