import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { describe, expect, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { closeServer } from "../helpers/start-upstream.ts";
import { startManualUpstream, watch, type Wire } from "./wire.ts";

const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const identity = { key: pem("key"), cert: pem("cert") };

/** How a server is reached, and how a client of it learns that half an answer is half. */
const transports = {
  TCP: { create: (app: RequestListener) => http.createServer(app), dial: dialTcp, cut: "reset" },
  TLS: { create: (app: RequestListener) => https.createServer(identity, app), dial: dialTls, cut: "reset" },
  // It has no resets.
  "a Unix domain socket": {
    create: (app: RequestListener) => http.createServer(app),
    dial: net.connect,
    cut: "closed",
  },
} as const;

function dialTcp(port: string): net.Socket {
  return net.connect({ port: Number(port), allowHalfOpen: true });
}

function dialTls(port: string): net.Socket {
  return tls.connect({ port: Number(port), rejectUnauthorized: false });
}

const half = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";

/** Answers that an upstream, too, delimits by the end of its connection. */
const delimitedByUpstream = { "HTTP/1.1": "HTTP/1.1 200 OK\r\n\r\nhalf", "HTTP/1.0": "HTTP/1.0 200 OK\r\n\r\nhalf" };

type Happening = (upstream: Wire, client: Wire) => void;

const rows = engines.flatMap(({ name, create }) =>
  Object.entries(transports).map(([transport, parts]) => ({ name, transport, engine: create, ...parts })),
);

describe.each(rows)("an answer that the end of the connection delimits, by $transport, $name", (row) => {
  /** A client of HTTP/1.0 has half of its answer: then something happens. */
  async function play(happens: Happening, answer = half): Promise<{ how: string; defects: unknown[] }> {
    const upstream = await startManualUpstream();
    const target = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
    const defects: unknown[] = [];
    const log = (fields: object): void => {
      if (!("code" in fields)) defects.push(fields);
    };
    const logger = { error: log, warn: log, info: () => undefined, debug: () => undefined };
    const gateway = createGateway(parseConfig({ Routes: [route] }, { logger: false }), {
      engine: row.engine(),
      logger,
    });
    const folder = await mkdtemp(join(tmpdir(), "waymark-"));
    const server = row.create(gateway).listen(row.dial === net.connect ? join(folder, "socket") : 0);
    await once(server, "listening");
    const address = server.address()!;
    const client = watch(row.dial(typeof address === "string" ? address : String(address.port)));
    client.write("GET /x HTTP/1.0\r\n\r\n");
    const arrived = await upstream.next();
    await arrived.until("\r\n\r\n");
    arrived.write(answer);
    await client.until("half");
    happens(arrived, client);
    const how = await client.ended;
    await gateway.close({ grace: 3_600 });
    await Promise.all([closeServer(server), upstream.close(), rm(folder, { recursive: true })]);
    return { how, defects };
  }

  test("does not look whole where the upstream breaks off", async () => {
    expect(await play(({ socket }) => socket.destroy())).toEqual({ how: row.cut, defects: [] });
  });

  test("that has a length instead needs no reset, which could take the head from its client", async () => {
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
    const outcome = await play((upstream, client) => {
      client.socket.once("end", () => client.socket.end());
      upstream.socket.destroy();
    }, answer);
    expect(outcome).toEqual({ how: "closed", defects: [] });
  });

  test.each(Object.entries(delimitedByUpstream))(
    "does not look whole where an upstream of %s resets it",
    async (_, answer) => {
      expect(await play(({ socket }) => socket.resetAndDestroy(), answer)).toEqual({ how: row.cut, defects: [] });
    },
  );

  test("is whole where the upstream ends its connection", async () => {
    const outcome = await play((upstream, client) => {
      client.socket.once("end", () => client.socket.end());
      upstream.socket.end();
    }, delimitedByUpstream["HTTP/1.1"]);
    expect(outcome).toEqual({ how: "closed", defects: [] });
  });

  test("does not look whole where the client has ended its side before", async () => {
    expect(await play((_upstream, { socket }) => socket.end())).toEqual({ how: row.cut, defects: [] });
  });

  test("is whole where the client ends its side behind it", async () => {
    const outcome = await play((upstream, client) => {
      client.socket.once("end", () => client.socket.end());
      upstream.write("0\r\n\r\n");
    });
    expect(outcome).toEqual({ how: "closed", defects: [] });
  });
});
