import { constants } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import { afterEach, expect, test } from "@jest/globals";
import type { GatewayHandler } from "../../src/index.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

const [key, cert] = ["key", "cert"].map((name) =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)),
);

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** Asks for the certificate as late as with TLS 1.2: at the request that needs it. */
const askForCertificate: GatewayHandler = (req, _res, next) => {
  if (!req.url.startsWith("/mine")) {
    next();
    return;
  }
  const socket = req.socket as TLSSocket;
  socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, (error) => {
    if (error === null) goOnOnceShown();
    else next(error);
  });

  function goOnOnceShown(): void {
    if (socket.getPeerX509Certificate() === undefined) setTimeout(goOnOnceShown, 1);
    else next();
  }
};

test("a certificate that a connection shows later keeps its answers from others", async () => {
  route = await startCachedRoute({}, { options: { middleware: [askForCertificate] } });
  // Otherwise a handshake that resumes the session would ask for no certificate.
  const secureOptions = constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION;
  const settings = { key, cert, maxVersion: "TLSv1.2", secureOptions, rejectUnauthorized: false } as const;
  const server = https.createServer(settings, route.gateway.gateway).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  /** Asks several times over one connection. */
  async function ask(...paths: readonly string[]): Promise<readonly string[]> {
    const socket = tls.connect({
      port,
      host: "127.0.0.1",
      rejectUnauthorized: false,
      maxVersion: "TLSv1.2",
      key,
      cert,
    });
    await once(socket, "secureConnect");
    const bodies: string[] = [];
    for (const path of paths) {
      let got = "";
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      while (!/answer \d/.test(got)) got += String(((await once(socket, "data")) as [Buffer])[0]);
      bodies.push(/answer \d/.exec(got)![0]);
    }
    socket.destroy();
    return bodies;
  }

  const got = [await ask("/public", "/mine"), await ask("/public", "/mine")];
  server.close();
  expect(got).toEqual([
    ["answer 1", "answer 2"],
    ["answer 1", "answer 3"],
  ]);
});
