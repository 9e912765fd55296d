import net from "node:net";
import { Writable } from "node:stream";
import { format } from "node:util";
import { afterEach, expect, jest, test } from "@jest/globals";
import express from "express";
import { pino } from "pino";
import { createGateway, type GatewayHandler, type Logger, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An upstream that answers each request with such a head, and with the request as the body of it. */
async function startEcho(head: string | Buffer): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) =>
      socket.write(Buffer.concat([typeof head === "string" ? Buffer.from(head) : head, bytes])),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as net.AddressInfo).port;
}

/** All that a pino logger writes, with every list of bytes as text. */
function createLog(): Readonly<{ logger: Logger; written: () => string }> {
  const lines: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, callback) {
      lines.push(line.toString());
      callback();
    },
  });
  const readable = (line: string): string =>
    line.replace(/\[(\d+(?:,\d+)*)\]/g, (_, bytes: string) => Buffer.from(bytes.split(",").map(Number)).toString());
  return { logger: pino({}, sink), written: () => lines.map(readable).join("") };
}

async function ask(port: number, logger: Logger | undefined, options: object, bytes: string): Promise<string> {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: port }];
  const route = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}", DownstreamHostAndPorts };
  const gateway = createGateway(parseConfig({ Routes: [route] }, { logger: false }), {
    ...options,
    ...(logger === undefined ? {} : { logger }),
  });
  const { port: own, close } = await serve(gateway, gateway);
  closers.unshift(close);
  return sendBytes(own, bytes);
}

const secret = "s3cr3t-v4lue";
const get = `GET /x?token=${secret} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`;

test.each(engines)("no byte of an ill-formed answer is in the log, $name", async ({ create }) => {
  for (const head of ["HTTP/1.1 200 OK\r\nX Bad: 1\r\n", `HTTP/1.1 2x0 OK\r\nSet-Cookie: s=${secret}\r\n\r\n`]) {
    const { logger, written } = createLog();
    const answer = await ask(await startEcho(head), logger, { engine: create() }, get);
    expect(answer).toContain("502 Bad Gateway");
    expect(written()).toMatch(/"code":"upstream-ill-formed".*"err":\{.*"message":"[^"]/);
    expect(written()).not.toContain(secret);
  }
});

test.each(engines)("a terminal obeys nothing of what the console shows, $name", async ({ create }) => {
  const shown: string[] = [];
  const note = (...words: unknown[]): void => void shown.push(format(...words));
  const spies = [jest.spyOn(console, "warn"), jest.spyOn(console, "error")].map((spy) => spy.mockImplementation(note));
  try {
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \u009b31m%s\u00ad\r\n\r\n";
    const answer = await ask(await startEcho(Buffer.from(head, "latin1")), undefined, { engine: create() }, get);
    expect(answer).toContain("502 Bad Gateway");
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(shown.join()).toContain(String.raw`\u009b31m%s\u00ad`);
  expect(shown.join()).not.toMatch(/[\x80-\x9f\u00ad]/);
});

test("a body that is nested too deeply to be sent again leaves no stack in the log", async () => {
  const { logger, written } = createLog();
  const body = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const head = `POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json`;
  const bytes = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await ask(1, logger, { middleware: [express.json() as unknown as GatewayHandler] }, bytes);
  expect(answer).toContain("400 Bad Request");
  expect(answer).toContain("body-too-deep");
  expect(written()).not.toContain("    at ");
});

test("what a parser of bodies hangs on its error is not logged", async () => {
  const { logger, written } = createLog();
  const body = `{"password":"${secret}","more than is told in a message":1,${" ".repeat(50)}x${" ".repeat(50)}}`;
  const head = `POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json`;
  const bytes = `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await ask(1, logger, { middleware: [express.json() as unknown as GatewayHandler] }, bytes);
  expect(answer).toContain("400 Bad Request");
  expect(written()).toContain('"status":400');
  expect(written()).not.toContain(secret);
});

test("an error without anything else in it is logged as it is, with all that caused it", async () => {
  const logged: unknown[] = [];
  const note = (fields: object): void => void logged.push((fields as { err: unknown }).err);
  const logger = { error: note, warn: note, info: () => undefined, debug: () => undefined };
  const cause = Object.assign(new Error("inner"), { code: "EINNER", request: { token: secret } });
  const plain = new TypeError("plain", { cause: new Error("why") });
  const full = Object.assign(new AggregateError([cause], "outer", { cause }), { response: Buffer.from(secret) });
  const unreadable = new Proxy(new Error("no"), {
    ownKeys() {
      throw new Error("no");
    },
  });
  const circular = Object.assign(new Error("round"), { bytes: [secret] });
  circular.cause = circular;
  for (const thrown of [plain, full, unreadable, circular]) {
    const middleware: GatewayHandler = () => {
      throw thrown;
    };
    await ask(1, logger, { middleware: [middleware] }, get);
  }
  expect(logged[0]).toBe(plain);
  const described = logged[1] as Error & { errors: Error[]; cause: Error };
  expect(described).toMatchObject({ message: "outer", name: "AggregateError", stack: full.stack });
  for (const one of [described.cause, described.errors[0]])
    expect(one).toMatchObject({ message: "inner", code: "EINNER" });
  expect("response" in described || "request" in described.cause).toBe(false);
  expect(logged[2]).toMatchObject({ message: "What failed cannot be described." });
  expect(logged[3]).toMatchObject({ message: "round", cause: { message: "round" } });
});
