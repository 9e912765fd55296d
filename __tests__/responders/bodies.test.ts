import { once } from "node:events";
import http from "node:http";
import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type DelegatingHandler, type GatewayOptions, metadataResponder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type OneRoute, startOneRoute } from "./one-route.ts";

const cases = engines.flatMap(({ name, create }) => [
  { name: `${name}, passed through`, options: () => ({ engine: create() }), wrap: (text: string) => text },
  {
    name: `${name}, wrapped`,
    options: () => ({ engine: create(), responder: metadataResponder() }),
    wrap: (text: string) => `{"Response": ${text}, "Metadata": {"a":"b"}}`,
  },
]);

let running: OneRoute | undefined;

afterEach(() => running?.close());

/** Codes of what was logged: those of an error that is the gateway's own, else its message. */
type Logged = string[];

async function start(
  answer: http.RequestListener,
  options: GatewayOptions,
  handler?: DelegatingHandler,
): Promise<{ port: number; logged: Logged }> {
  const logged: Logged = [];
  const log = ({ code, err }: { code?: string; err?: Error }) => {
    const told = code ?? err?.message;
    if (told !== undefined) logged.push(told);
  };
  const logger = { error: log, warn: log, info: log, debug: () => undefined };
  running = await startOneRoute(answer, { logger, ...(handler && { handlers: [handler] }), ...options });
  return { port: running.port, logged };
}

const json = { "content-type": "application/json" };

const answerJson: http.RequestListener = (_req, res) => res.writeHead(200, json).end("[1]");

/** Lets a handler put another body in the place of the upstream's. */
function replacing(createBody: () => unknown): DelegatingHandler {
  return async function replaceBody(_outgoing, next) {
    const answer = await next();
    answer.body = createBody() as Readable;
    return answer;
  };
}

/** Asks a gateway whose handler answers with this body, and comes back with the head of the answer. */
async function askFor(
  body: Readable,
  options: GatewayOptions,
): Promise<{ req: http.ClientRequest; res: http.IncomingMessage }> {
  const { port } = await start(
    answerJson,
    options,
    replacing(() => body),
  );
  const req = http.get({ port, path: "/x" });
  const [res] = (await once(req, "response")) as [http.IncomingMessage];
  return { req, res };
}

describe.each(cases)("$name", ({ options, wrap }) => {
  test("an upstream that breaks off in the middle is at fault", async () => {
    const { port, logged } = await start((_req, res) => {
      res.writeHead(200, { ...json, "content-length": 10 }).write("[1,");
      setTimeout(() => res.destroy(), 20);
    }, options());
    await expect(request({ port, path: "/x" })).rejects.toThrow("aborted");
    expect(logged).toEqual(["upstream-reset"]);
  });

  test("a handler whose stream breaks off in the middle is at fault itself", async () => {
    const handler = replacing(() =>
      Readable.from(
        (async function* breakOff() {
          yield "[1,";
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw new Error("The disk is gone.");
        })(),
      ),
    );
    const { port, logged } = await start(answerJson, options(), handler);
    await expect(request({ port, path: "/x" })).rejects.toThrow("aborted");
    expect(logged).toEqual(["The disk is gone."]);
  });

  test("a body that a handler has read to its end is refused", async () => {
    const { port, logged } = await start(answerJson, options(), async function readBody(_outgoing, next) {
      const answer = await next();
      await answer.body.toArray();
      return answer;
    });
    const outcome = await request({ port, path: "/x" }).then(
      ({ status }) => status,
      () => "cut",
    );
    expect(["cut", 500]).toContain(outcome);
    expect(logged[0]).toBe("handler-misuse");
  });

  const bodies: [string, () => unknown][] = [
    ["text", () => "[2]"],
    ["a Buffer", () => Buffer.from("[2]")],
    ["a stream of text", () => Readable.from(["[", "2]"])],
    ["a stream of bytes that are no Buffer", () => Readable.from([new TextEncoder().encode("[2]")])],
    ["a stream of a library's own", () => foreign(Readable.from([Buffer.from("[2]")]))],
  ];

  test.each(bodies)("a handler may assign %s", async (_kind, createBody) => {
    const { port, logged } = await start(answerJson, options(), replacing(createBody));
    expect((await request({ port, path: "/x" })).body.toString()).toBe(wrap("[2]"));
    expect(logged).toEqual([]);
  });

  test("a stream of objects is refused", async () => {
    const { port, logged } = await start(
      answerJson,
      options(),
      replacing(() => Readable.from([{ a: 1 }])),
    );
    await request({ port, path: "/x" }).catch(() => undefined);
    expect(logged[0]).toBe("handler-misuse");
  });

  test("a handler's stream is given up with the client", async () => {
    const endless = new Readable({ read: () => undefined });
    endless.push("[1,");
    const { req, res } = await askFor(endless, options());
    await once(res, "data");
    const closed = new Promise((resolve) => endless.once("close", resolve));
    req.on("error", () => undefined).destroy();
    await closed;
  });

  test("a client that does not read holds a handler's stream back", async () => {
    let given = 0;
    const piece = Buffer.alloc(65_536, "1");
    const endless = new Readable({
      read() {
        given += piece.length;
        this.push(given === piece.length ? "[" : piece);
      },
    });
    const { req, res } = await askFor(endless, options());
    res.pause();
    let before = -1;
    while (before !== given) {
      before = given;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(given).toBeLessThan(100_000_000);
    req.on("error", () => undefined).destroy();
  });
});

/** A stream that is no instance of Node's class, as those of readable-stream are. */
function foreign(stream: Readable): unknown {
  return new Proxy(stream, { getPrototypeOf: () => Object.prototype });
}
