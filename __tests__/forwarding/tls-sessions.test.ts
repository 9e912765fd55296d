import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpRequest, type RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SecureVersion, TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type DelegatingHandler, parseConfig } from "../../src/index.ts";
import { openConnection } from "../../src/forwarding/connect-in-time.ts";
import { engines } from "../helpers/engines.ts";
import { ask, cleanUpLater, closeAll, gatewayFor, routeTo } from "../reload/scene.ts";
import { selfSigned } from "../simulator/self-signed.ts";

afterEach(closeAll);

const folder = new URL("../fixtures/tls/", import.meta.url).pathname;
const certificate = { key: readFileSync(`${folder}key.pem`), cert: readFileSync(`${folder}cert.pem`) };
const checked = { DownstreamScheme: "https", Tls: { Ca: `${folder}cert.pem`, ServerName: "upstream.test" } };
const unchecked = { DownstreamScheme: "https", DangerousAcceptAnyServerCertificateValidator: true };
const versions: readonly SecureVersion[] = ["TLSv1.2", "TLSv1.3"];

/** Whom an upstream takes a client for: the name in its certificate. */
const first = { Cert: `${folder}cert.pem`, Key: `${folder}key.pem` };
const firstName = "upstream.test";
const secondName = "replica.test";
const nobody = "nobody";

type Secure = Readonly<{ port: number; server: Server; reused: boolean[]; stop: () => Promise<void> }>;

/** An upstream whose connections serve one request each, and that notes which of them went on with a session. */
function secureUpstream(version: SecureVersion, port = 0): Promise<Secure> {
  return listenSecurely(version, port, (_req, res) => void res.setHeader("connection", "close").end("fine"));
}

/** An upstream that answers with the name of its client; its connections are kept, or serve one request each. */
function namingUpstream(version: SecureVersion, connection: "keep-alive" | "close"): Promise<Secure> {
  return listenSecurely(version, 0, ({ socket }, res) => {
    const { subject } = (socket as TLSSocket).getPeerCertificate();
    res.setHeader("connection", connection).end((subject as { CN: string } | undefined)?.CN ?? nobody);
  });
}

async function listenSecurely(version: SecureVersion, port: number, answer: RequestListener): Promise<Secure> {
  const reused: boolean[] = [];
  const clients = { ca: [certificate.cert, selfSigned.cert], requestCert: true, rejectUnauthorized: false };
  const server = createServer({ ...certificate, ...clients, minVersion: version, maxVersion: version }, answer);
  server.on("secureConnection", (socket: TLSSocket) => reused.push(socket.isSessionReused()));
  await new Promise<void>((resolve) => server.listen(port, resolve));
  cleanUpLater(stop);
  return { port: (server.address() as AddressInfo).port, server, reused, stop };

  function stop(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  }
}

const rows = engines.flatMap(({ name, create }) => versions.map((version) => ({ name, create, version })));

describe.each(rows)("$name over $version", ({ create, version }) => {
  test("goes on with the session of an earlier connection, and begins anew after a restart", async () => {
    const { port, reused, stop } = await secureUpstream(version);
    const { origin } = await gatewayFor({ Routes: [routeTo(port, "/a", checked)] }, { engine: create() });
    for (let count = 0; count < 3; count += 1) expect(await ask(origin, "/a")).toBe("200 fine");
    expect(reused).toEqual([false, true, true]);
    await stop();
    const next = await secureUpstream(version, port);
    for (let count = 0; count < 2; count += 1) expect(await ask(origin, "/a")).toBe("200 fine");
    expect(next.reused).toEqual([false, true]);
  });

  test("never takes the session of an unchecked route where the certificate has to be checked", async () => {
    const { port, reused } = await secureUpstream(version);
    const strict = { DownstreamScheme: "https" };
    const otherName = { ...checked, Tls: { ...checked.Tls, ServerName: "other.test" } };
    const Routes = [
      routeTo(port, "/unchecked", unchecked),
      routeTo(port, "/checked", checked),
      routeTo(port, "/strict", strict),
      routeTo(port, "/other-name", otherName),
    ];
    const { origin } = await gatewayFor({ Routes }, { engine: create() });
    for (let round = 0; round < 2; round += 1) {
      expect(await ask(origin, "/unchecked")).toBe("200 fine");
      expect(await ask(origin, "/checked")).toBe("200 fine");
      expect(await ask(origin, "/strict")).toMatch(/^502/);
      expect(await ask(origin, "/other-name")).toMatch(/^502/);
    }
    // Where the client refuses a certificate, the handshake may look complete to the upstream, but never as one resumed.
    expect(reused.filter(Boolean)).toHaveLength(2);
  });
});

describe.each(rows)("$name over $version", ({ create, version }) => {
  test.each(["keep-alive", "close"] as const)(
    "a route's client certificate and authority are no other route's, connections %s",
    async (connection) => {
      const { port, reused } = await namingUpstream(version, connection);
      const files = await secondIdentity();
      const withTls = (more: object): object => ({ ...checked, Tls: { ...checked.Tls, ...more } });
      const Routes = [
        routeTo(port, "/first", withTls(first)),
        routeTo(port, "/second", withTls(files)),
        routeTo(port, "/nobody", checked),
        routeTo(port, "/other-authority", withTls({ ...first, Ca: files.Cert })),
      ];
      const { origin } = await gatewayFor({ Routes }, { engine: create() });
      for (let round = 0; round < 3; round += 1) {
        expect(await ask(origin, "/first")).toBe(`200 ${firstName}`);
        expect(await ask(origin, "/second")).toBe(`200 ${secondName}`);
        expect(await ask(origin, "/nobody")).toBe(`200 ${nobody}`);
        expect(await ask(origin, "/other-authority")).toMatch(/^502/);
      }
      // Each of the three goes on with what is its own: a connection, or else a session.
      expect(reused.filter(Boolean)).toHaveLength(connection === "close" ? 6 : 0);
    },
  );

  test.each(["keep-alive", "close"] as const)(
    "a client certificate that a reload has replaced is not used again, connections %s",
    async (connection) => {
      const { port, reused } = await namingUpstream(version, connection);
      const second = await secondIdentity();
      const present = await secondIdentity();
      const config = { Routes: [routeTo(port, "/a", { ...checked, Tls: { ...checked.Tls, ...present } })] };
      const { origin, gateway } = await gatewayFor(config, { engine: create() });
      for (const [files, name] of [
        [second, secondName],
        [first, firstName],
        [second, secondName],
      ] as const) {
        await copyFile(files.Cert, present.Cert);
        await copyFile(files.Key, present.Key);
        await gateway.reload(parseConfig(config, { logger: false }));
        reused.splice(0);
        expect(await ask(origin, "/a")).toBe(`200 ${name}`);
      }
      expect(reused).toEqual([false]);
    },
  );
});

test("of a hundred and one places the first begins anew, and the others go on", async () => {
  const { port, reused } = await secureUpstream("TLSv1.3");
  const toPlace: DelegatingHandler = (outgoing, next) => {
    outgoing.origin = `https://127.0.0.${outgoing.path.slice(1)}:${port}`;
    return next();
  };
  const { origin } = await gatewayFor({ Routes: [routeTo(port, "/{place}", checked)] }, { handlers: [toPlace] });
  const visit = async (place: number): Promise<boolean> => {
    expect(await ask(origin, `/${place}`)).toBe("200 fine");
    return reused.pop()!;
  };
  for (let place = 1; place <= 101; place += 1) expect(await visit(place)).toBe(false);
  for (const place of [2, 3, 100, 101]) expect(await visit(place)).toBe(true);
  expect(await visit(1)).toBe(false);
});

/** Files of their own with a certificate that is not the first one. */
async function secondIdentity(): Promise<typeof first> {
  const path = await mkdtemp(join(tmpdir(), "waymark-identity-"));
  cleanUpLater(() => rm(path, { recursive: true }));
  const files = { Cert: join(path, "cert.pem"), Key: join(path, "key.pem") };
  await writeFile(files.Cert, selfSigned.cert);
  await writeFile(files.Key, selfSigned.key);
  return files;
}

test("a WebSocket's handshake goes on with a session as well", async () => {
  const { port, server, reused } = await secureUpstream("TLSv1.3");
  server.on("upgrade", (_req, socket) =>
    socket.end("HTTP/1.1 403 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
  );
  const config = { Routes: [routeTo(port, "/a", { ...checked, AllowUpgrade: true })] };
  const running = await gatewayFor(config);
  const { upgradeThrough } = await import("../../src/index.ts");
  running.server.on("upgrade", upgradeThrough(running.gateway, { logger: false }));
  for (let count = 0; count < 2; count += 1) expect(await upgrade(running.port)).toBe(403);
  expect(reused).toEqual([false, true]);
});

function upgrade(port: number): Promise<number | undefined> {
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  return new Promise((resolve, reject) => {
    httpRequest({ port, path: "/a", headers })
      .on("response", (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

describe("A connection whose other end offers sessions", () => {
  /** Servers of Node offer two, and no more can be had of them: the others are told as Node tells them. */
  async function connectAndOffer(count: number): Promise<Socket> {
    const { port } = await secureUpstream("TLSv1.3");
    const settings = { connectTimeout: 5_000, tls: { rejectUnauthorized: false } };
    const socket = openConnection({ host: "127.0.0.1", port, secure: true }, settings);
    cleanUpLater(() => Promise.resolve(socket.destroy()));
    await once(socket, "secureConnect");
    for (let index = 0; index < count; index += 1) socket.emit("session", Buffer.from("session"));
    return socket;
  }

  test("without end is broken off, as its answer is none", async () => {
    const socket = await connectAndOffer(40);
    expect(await once(socket, "error")).toEqual([expect.objectContaining({ code: "HPE_INVALID_ANSWER" })]);
  });

  test("now and then is kept", async () => {
    expect((await connectAndOffer(20)).destroyed).toBe(false);
  });
});
