import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { holdDeadPort, keepPort } from "../helpers/hold-dead-port.ts";
import { closeServer } from "../helpers/start-upstream.ts";
import { isRegistry, type TraceArrival, type TraceDownstream } from "./trace.ts";
import { fillText, type TraceValues } from "./trace-values.ts";

/** A recorded downstream come to life: it answers as written, and tells what arrives. */
export type RunningDownstream = Readonly<{
  name: string;
  port: number;
  close: () => Promise<void>;
  /** Listens no more, and keeps its port from others. */
  refuse: () => Promise<void>;
  /** Listens again, at the port that it had. */
  open: () => Promise<void>;
}>;

type Told = Readonly<{ arrived: (arrival: TraceArrival) => unknown; values: TraceValues; usualBody: string }>;

type Answering = Readonly<{ name: string; call: number; how: TraceDownstream }> & Told;

/** Starts a downstream; what arrives is told as soon as it is complete. */
export async function startDownstream(
  name: string,
  described: TraceDownstream,
  told: Told,
): Promise<RunningDownstream> {
  if (described.refuse === true) return refuseAlways(name);
  let calls = 0;
  const server = createServer(described, (req, res) => {
    calls += 1;
    const call = calls;
    void receive(req).then(async (body) => {
      told.arrived({ at: name, method: req.method!, target: req.url!, headers: headersOf(req), body });
      await answer({ name, call, how: layOver(described, call, req.url!), ...told }, { req, res, body });
    });
  });
  server.on("upgrade", (req: IncomingMessage, socket: Socket) => {
    told.arrived({ at: name, method: req.method!, target: req.url!, headers: headersOf(req), body: "" });
    upgrade(req, socket);
  });
  server.keepAliveTimeout = 120_000;
  const listenAt = (at: number): Promise<void> => new Promise((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listenAt(0);
  const { port } = server.address() as AddressInfo;
  const { refuse, letGo } = keepPort(port, () => closeServer(server));
  const open = async (): Promise<void> => {
    await letGo();
    await listenAt(port);
  };
  const close = async (): Promise<void> => {
    await letGo();
    await closeServer(server);
  };
  if (described.down === true) await refuse();
  return { name, port, refuse, open, close };
}

const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

/** With TLS its certificate is one that nobody trusts; HTTP/2 is never spoken here, and what speaks nothing else takes nobody. */
function createServer({ tls = false, protocols }: TraceDownstream, listener: http.RequestListener): http.Server {
  if (!tls) return http.createServer(listener);
  const ALPNProtocols = protocols === "http2" ? ["h2"] : ["http/1.1"];
  return https.createServer({ key: pem("key"), cert: pem("cert"), ALPNProtocols }, listener);
}

/** A place where nobody ever listens. */
export async function refuseAlways(name: string): Promise<RunningDownstream> {
  const { port, release } = await holdDeadPort();
  const open = (): Promise<void> => Promise.reject(new Error(`${name} refuses always: it cannot be opened.`));
  return { name, port, close: release, refuse: () => Promise.resolve(), open };
}

/** Behind the last call that is described the rest holds; where there is none, that last call. */
function layOver(described: TraceDownstream, call: number, target: string): TraceDownstream {
  const { perCall = [], byPath = {}, ...base } = described;
  const [path = ""] = target.split("?", 1);
  const last = Object.keys(base).length === 0 ? perCall.at(-1) : {};
  const own = byPath[target] ?? byPath[path];
  return { ...base, ...(own && layOver(own, call, target)), ...(perCall[call - 1] ?? last) };
}

async function receive(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of req) chunks.push(chunk as Buffer);
  } catch {
    // What was cut off arrived as far as it came.
  }
  return Buffer.concat(chunks).toString("latin1");
}

/** Repeats stay apart, as they were sent. */
function headersOf({ headersDistinct }: IncomingMessage): TraceArrival["headers"] {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0]! : values]),
  );
}

/** Takes every socket, and ends it with the client. */
function upgrade({ headers }: IncomingMessage, socket: Socket): void {
  const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  const lines = ["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept.digest("base64")}`];
  socket.on("error", () => socket.destroy()).on("end", () => socket.end());
  socket.resume().write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
}

type Asked = Readonly<{ req: IncomingMessage; res: ServerResponse; body: string }>;

async function answer(answering: Answering, asked: Asked): Promise<void> {
  const { call, how, values } = answering;
  const { req, res } = asked;
  if (how.delayMs !== undefined) await wait(how.delayMs);
  if (how.abort === true) {
    req.socket.resetAndDestroy();
    return;
  }
  const number = (text: string): string => fillText(text, values).replaceAll("{{n}}", String(call));
  for (const [header, value] of Object.entries(how.headers ?? {}))
    res.setHeader(header, typeof value === "string" ? number(value) : value.map(number));
  const body = Buffer.from(number(bodyOf(answering, asked)), how.bodyBase64 === undefined ? "utf8" : "base64");
  // Node announces trailers in chunks only.
  if (how.chunked !== true && !res.hasHeader("trailer"))
    res.setHeader("content-length", how.contentLength ?? body.length);
  res.writeHead(how.status ?? 200, how.reason);
  if (how.bodyDelayMs !== undefined) {
    res.flushHeaders();
    await wait(how.bodyDelayMs);
  }
  await writeParts(res, body, how);
  // What was written leaves before that.
  if (how.abortAfterBody === true) req.socket.destroySoon();
  else res.end();
}

async function writeParts(res: ServerResponse, body: Buffer, { parts = 1, partDelayMs = 0 }: TraceDownstream) {
  const length = Math.ceil(body.length / parts);
  for (let at = 0; at < body.length; at += length) {
    if (at > 0) await wait(partDelayMs);
    res.write(body.subarray(at, at + length));
  }
}

function bodyOf({ name, how, usualBody }: Answering, { req, body }: Asked): string {
  if (how.echo === true) return escapeAsRecorded({ at: name, method: req.method, target: req.url, body });
  if (how.json !== undefined) return withNumbers(JSON.stringify(how.json));
  // A Consul answers a list for any service.
  if (isRegistry(name) && how.body === undefined) return "[]";
  if (how.bodyRepeat !== undefined) return how.bodyRepeat[0].repeat(how.bodyRepeat[1]);
  return how.bodyBase64 ?? how.body ?? ((how.status ?? 200) < 400 ? usualBody : "");
}

/** The ports of downstreams are numbers where a registry tells them. */
function withNumbers(json: string): string {
  return json.replace(/"Port":"(\{\{\w+\}\})"/g, '"Port":$1');
}

/** The recorded downstreams wrote JSON as .NET does, where it may stand in a page. */
function escapeAsRecorded(value: object): string {
  const text = JSON.stringify(value).replace(/\\"/g, "\\u0022");
  return text.replace(/[&'+<>`]|[^\0-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  });
}
