import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { SecureVersion, TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { ask, cleanUpLater, closeAll, gatewayFor, routeTo } from "../reload/scene.ts";

afterEach(closeAll);

const folder = new URL("../fixtures/tls/", import.meta.url).pathname;
const certificate = { key: readFileSync(`${folder}key.pem`), cert: readFileSync(`${folder}cert.pem`) };
const checked = { DownstreamScheme: "https", Tls: { Ca: `${folder}cert.pem`, ServerName: "upstream.test" } };
const unchecked = { DownstreamScheme: "https", DangerousAcceptAnyServerCertificateValidator: true };
const versions: readonly SecureVersion[] = ["TLSv1.2", "TLSv1.3"];

type Secure = Readonly<{ port: number; server: Server; reused: boolean[]; stop: () => Promise<void> }>;

/** An upstream whose connections serve one request each, and that notes which of them went on with a session. */
async function secureUpstream(version: SecureVersion, port = 0): Promise<Secure> {
  const reused: boolean[] = [];
  const settings = { ...certificate, minVersion: version, maxVersion: version };
  const server = createServer(settings, (_req, res) => void res.setHeader("connection", "close").end("fine"));
  server.on("secureConnection", (socket: TLSSocket) => reused.push(socket.isSessionReused()));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
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
