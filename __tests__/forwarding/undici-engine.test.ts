import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import net, { type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { AnswerBody } from "../../src/bodies/answer-body.ts";
import type { OutgoingRequest } from "../../src/delegating-handler.ts";
import type { EngineAnswer } from "../../src/forwarding/engines/engine.ts";
import { notesOf } from "../../src/forwarding/failure-notes.ts";
import { undiciEngine } from "../../src/undici.ts";
import { request } from "../helpers/send-raw.ts";
import { closeServer, listen, startUpstream } from "../helpers/start-upstream.ts";

const connection = { connectTimeout: 5_000, tls: undefined };
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** An upstream that writes raw bytes for each request head that comes in. */
async function startRawUpstream(
  answer: (socket: Socket, count: number) => void,
): Promise<{ origin: string; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    let count = 0;
    let head = "";
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (received: string) => {
      head += received;
      if (!head.includes("\r\n\r\n")) return;
      head = "";
      count += 1;
      answer(socket, count);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, sockets };
}

async function startHttpUpstream(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<ReturnType<typeof startUpstream>> {
  const upstream = await startUpstream(answer);
  ends.push(upstream.close);
  return upstream;
}

type SentAnswer = EngineAnswer & { readonly body: AnswerBody };

type Sent = Partial<OutgoingRequest> & { origin: string };

function createEngine() {
  const engine = undiciEngine();
  ends.push(engine.close);
  return {
    close: engine.close,
    send(sent: Sent, onCancel: (cancel: (reason: Error) => void) => void = () => undefined): Promise<SentAnswer> {
      const outgoing = { method: "GET", path: "/", headers: {}, body: null, ...sent };
      return engine.forward(outgoing, { connection, onCancel }) as Promise<SentAnswer>;
    },
  };
}

function textOf(answer: SentAnswer): Promise<string> {
  return text(answer.body.toStream());
}

/** Lets a real client's response be written to, and tells what the client got; fails as the writing does. */
async function writeToClient(write: (res: ServerResponse, req: IncomingMessage) => Promise<void>): Promise<string> {
  let writing: Promise<void> | undefined;
  const server = http.createServer((req, res) => {
    writing = write(res, req);
    writing.catch(() => res.destroy());
  });
  const port = await listen(server);
  ends.push(() => closeServer(server));
  const answer = await request({ port, path: "/", method: "POST", body: "upload" }).catch((error: unknown) => error);
  await writing;
  if (answer instanceof Error) throw answer;
  return (answer as { body: Buffer }).body.toString("latin1");
}

describe("answers", () => {
  const heads = [
    {
      why: "103 comes before the answer and is not one",
      bytes: "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
      expected: { status: 200, statusText: "OK", rawHeaders: ["content-length", "0"] },
    },
    {
      why: "repeated headers stay apart",
      bytes: "HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n",
      expected: { rawHeaders: ["set-cookie", "a=1", "set-cookie", "b=2", "content-length", "0"] },
    },
    {
      why: "blanks behind a value are no part of it",
      bytes:
        "HTTP/1.1 200 OK\r\nx-name: a  b \t \r\nx-none: \r\nset-cookie: a=1 \r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n",
      expected: {
        rawHeaders: ["x-name", "a  b", "x-none", "", "set-cookie", "a=1", "set-cookie", "b=2", "content-length", "0"],
      },
    },
    {
      why: "a header's bytes are characters",
      bytes: "HTTP/1.1 200 OK\r\nx-name: \xc3\xa4\xff\r\ncontent-length: 0\r\n\r\n",
      expected: { rawHeaders: ["x-name", "\xc3\xa4\xff", "content-length", "0"] },
    },
    {
      why: "so are those of the reason phrase",
      bytes: "HTTP/1.1 200 Sch\xc3\xb6n \xe2\x82\xac\r\ncontent-length: 0\r\n\r\n",
      expected: { statusText: "Sch\xc3\xb6n \xe2\x82\xac" },
    },
    {
      why: "204 has no body",
      bytes: "HTTP/1.1 204 No Content\r\n\r\n",
      expected: { status: 204, statusText: "No Content", rawHeaders: [] },
    },
  ];

  test.each(heads)("$why", async ({ bytes, expected }) => {
    const { origin } = await startRawUpstream((socket) => socket.write(bytes, "latin1"));
    const answer = await createEngine().send({ origin });
    expect(answer).toMatchObject(expected);
    expect(await textOf(answer)).toBe("");
  });

  test("trailers are there once the body has ended", async () => {
    const { origin } = await startRawUpstream((socket) =>
      socket.write(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nx-sum: 1\r\nx-sum: 2\r\n\r\n",
      ),
    );
    const answer = await createEngine().send({ origin });
    expect(await textOf(answer)).toBe("abc");
    expect(answer.trailers()).toEqual(["x-sum", "1", "x-sum", "2"]);
  });

  test("the answer to HEAD has its length and no body", async () => {
    const upstream = await startHttpUpstream((_req, res) => res.setHeader("content-length", 5).end("12345"));
    const answer = await createEngine().send({ origin: upstream.origin, method: "HEAD" });
    expect(answer.rawHeaders).toEqual(expect.arrayContaining(["content-length", "5"]));
    expect(await textOf(answer)).toBe("");
  });

  const sizes = [
    { why: "empty", size: 0 },
    { why: "short: leaves with the head", size: 1_000 },
    { why: "in several pieces", size: 100_000 },
    { why: "longer than all buffers", size: 20_000_000 },
  ];

  test.each(sizes)("a body is written as it is: $why", async ({ size }) => {
    const body = Buffer.alloc(size, "\0\x80\xff\r\n0123456789", "latin1");
    const upstream = await startHttpUpstream((_req, res) => res.end(body));
    const engine = createEngine();
    const written = await writeToClient(async (res) =>
      (await engine.send({ origin: upstream.origin })).body.writeTo(res),
    );
    expect(written === body.toString("latin1")).toBe(true);
  });

  test("a body waits until somebody wants it, and is whole then", async () => {
    const body = Buffer.alloc(20_000_000, "0123456789");
    const writing: ServerResponse[] = [];
    const upstream = await startHttpUpstream((_req, res) => {
      writing.push(res);
      res.once("drain", () => res.end()).write(body);
    });
    const answer = await createEngine().send({ origin: upstream.origin });
    expect(writing[0]!.writableNeedDrain).toBe(true);
    expect((await textOf(answer)).length).toBe(body.length);
  });
});

describe("answers that break off", () => {
  const broken = [
    { why: "fewer bytes than promised", bytes: "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc" },
    { why: "no last chunk", bytes: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n" },
    { why: "no length of a chunk", bytes: "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz" },
  ];

  test.each(broken)("$why: the write is rejected", async ({ bytes }) => {
    const { origin } = await startRawUpstream((socket) => socket.end(bytes));
    const engine = createEngine();
    await expect(writeToClient(async (res) => (await engine.send({ origin })).body.writeTo(res))).rejects.toThrow();
  });

  test.each(broken)("$why: the stream fails", async ({ bytes }) => {
    const { origin } = await startRawUpstream((socket) => socket.end(bytes));
    const answer = await createEngine().send({ origin });
    await expect(textOf(answer)).rejects.toThrow();
  });

  test("a stream to whose errors nobody listens brings nothing down", async () => {
    const { origin } = await startRawUpstream((socket) => socket.end(broken[0]!.bytes));
    const stream = (await createEngine().send({ origin })).body.toStream();
    const closed = new Promise((resolve) => stream.on("close", resolve));
    stream.resume();
    await closed;
    expect(stream.readableEnded).toBe(false);
  });

  test("a stream that is given up ends the answer", async () => {
    const { origin, sockets } = await startRawUpstream((socket) => socket.write(broken[0]!.bytes));
    const answer = await createEngine().send({ origin });
    const closed = once(sockets[0]!, "close");
    answer.body.toStream().destroy();
    await closed;
  });

  test("a response that somebody else has ended ends the answer", async () => {
    const { origin, sockets } = await startRawUpstream((socket) => socket.write(broken[0]!.bytes));
    const engine = createEngine();
    const written = writeToClient(async (res) => {
      const answer = await engine.send({ origin });
      res.end("mine");
      await expect(answer.body.writeTo(res)).rejects.toThrow("wrote or ended the answer");
    });
    expect(await written).toBe("mine");
    await once(sockets[0]!, "close");
  });
});

describe("requests", () => {
  const framings = [
    { why: "no body", body: () => null, headers: {}, method: "GET", length: undefined, coding: undefined },
    {
      why: "bytes",
      body: () => Buffer.from("four"),
      headers: { "content-length": "4" },
      method: "PUT",
      length: "4",
      coding: undefined,
    },
    {
      why: "a stream with a length",
      body: () => Readable.from([Buffer.from("four")]),
      headers: { "content-length": "4" },
      method: "POST",
      length: "4",
      coding: undefined,
    },
    {
      why: "a stream without one",
      body: () => Readable.from([Buffer.from("four")]),
      headers: {},
      method: "POST",
      length: undefined,
      coding: "chunked",
    },
    {
      why: "a stream without one of which all is there already",
      body: () => {
        const body = new Readable({ read: () => undefined });
        body.push("four");
        body.push(null);
        return body;
      },
      headers: {},
      method: "DELETE",
      length: undefined,
      coding: "chunked",
    },
  ];

  test.each(framings)("$why: framed as it says", async ({ method, body, headers, length, coding }) => {
    const upstream = await startHttpUpstream((req, res) => req.on("end", () => res.end()));
    const sent = body();
    await textOf(await createEngine().send({ origin: upstream.origin, method, headers: { ...headers }, body: sent }));
    const { headers: arrived, body: arrivedBody } = upstream.requests[0]!;
    expect([arrived["content-length"], arrived["transfer-encoding"]]).toEqual([length, coding]);
    expect(arrivedBody.toString()).toBe(sent === null ? "" : "four");
  });

  test.each([1, 256, 4_096, 4_097])("%i bytes of any value arrive as they are", async (size) => {
    const upstream = await startHttpUpstream((req, res) => req.on("end", () => res.end()));
    const body = Buffer.from(Array.from({ length: size }, (_, index) => 255 - (index % 256)));
    const headers = { "content-length": String(size), "x-name": "\u00e9" };
    await textOf(await createEngine().send({ origin: upstream.origin, method: "POST", headers, body }));
    const [{ headers: arrived, body: arrivedBody }] = upstream.requests as [(typeof upstream.requests)[0]];
    expect(arrived["x-name"]).toBe("\u00e9");
    expect(arrivedBody.equals(body)).toBe(true);
  });

  test("a client's request keeps its socket when its body has gone up", async () => {
    const upstream = await startHttpUpstream((req, res) => req.on("end", () => res.end("done")));
    const engine = createEngine();
    const written = writeToClient(async (res, req) => {
      const sent = { origin: upstream.origin, method: "POST", headers: { "content-length": "6" }, body: req };
      const answer = await engine.send(sent);
      expect(req.socket).toBeInstanceOf(net.Socket);
      await answer.body.writeTo(res);
    });
    expect(await written).toBe("done");
    expect(upstream.requests[0]!.body.toString()).toBe("upload");
  });

  test("an answer may come before the whole body has gone up", async () => {
    const upstream = await startHttpUpstream((req, res) => req.once("data", () => res.writeHead(413).end("too much")));
    const body = new Readable({ read: () => undefined });
    body.push("the beginning");
    const closed = once(body, "close");
    const answer = await createEngine().send({ origin: upstream.origin, method: "POST", body });
    expect([answer.status, await textOf(answer)]).toEqual([413, "too much"]);
    await closed;
  });

  test("a body that fails fails the request", async () => {
    const upstream = await startHttpUpstream(() => undefined);
    const body = new Readable({ read: () => body.destroy(new Error("The disk is gone.")) });
    await expect(createEngine().send({ origin: upstream.origin, method: "POST", body })).rejects.toThrow(
      "The disk is gone.",
    );
  });

  test("nothing of a body is read where nobody listens", async () => {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    server.close();
    await once(server, "close");
    const body = Readable.from(["unread"]);
    const sent = createEngine().send({ origin: `http://127.0.0.1:${port}`, method: "POST", body });
    await expect(sent).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect([body.readableDidRead, body.destroyed]).toEqual([false, false]);
  });

  test("a last header that reads like a length stays, where a body in chunks is empty", async () => {
    const upstream = await startHttpUpstream((req, res) => res.end(JSON.stringify(req.headers)));
    const headers = { "x-last": "content-length: 0" };
    const sent = createEngine().send({ origin: upstream.origin, method: "DELETE", headers, body: Readable.from([]) });
    expect(JSON.parse(await textOf(await sent))).toMatchObject({ ...headers, "transfer-encoding": "chunked" });
  });

  test("a header that cannot be sent fails the request, not the process", async () => {
    const upstream = await startHttpUpstream((_req, res) => res.end("ok"));
    const engine = createEngine();
    await expect(engine.send({ origin: upstream.origin, headers: { "x-name": "a\r\nb" } })).rejects.toThrow("x-name");
    expect(await textOf(await engine.send({ origin: upstream.origin }))).toBe("ok");
  });
});

describe("connections", () => {
  test("are kept, one for each request at the same time", async () => {
    const ports = new Set<number | undefined>();
    const upstream = await startHttpUpstream((req, res) => res.end(String(ports.add(req.socket.remotePort).size)));
    const engine = createEngine();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 5 }, async () => textOf(await engine.send({ origin: upstream.origin }))));
    }
    expect(ports.size).toBe(5);
  });

  test("a kept one that is closed as it is used again is told apart from a new one", async () => {
    const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    const { origin } = await startRawUpstream((socket, count) => (count === 1 ? socket.write(ok) : socket.destroy()));
    const engine = createEngine();
    expect(await textOf(await engine.send({ origin }))).toBe("ok");
    const failure = await engine.send({ origin }).catch((error: unknown) => error);
    expect(notesOf(failure).reused).toBe(true);
    expect(await textOf(await engine.send({ origin }))).toBe("ok");
  });

  const notRetried = [
    { why: "a new one", answer: (socket: Socket) => socket.destroy() },
    { why: "one that has begun to answer", answer: (socket: Socket) => socket.end("HTTP/1.1 2") },
  ];

  test.each(notRetried)("$why that is closed may not be tried again", async ({ answer }) => {
    const { origin } = await startRawUpstream(answer);
    const failure = await createEngine()
      .send({ origin })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(notesOf(failure).reused ?? false).toBe(false);
  });

  test("one that is closed between two requests is replaced", async () => {
    const { origin, sockets } = await startRawUpstream((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    );
    const engine = createEngine();
    await textOf(await engine.send({ origin }));
    const closed = once(sockets[0]!, "close");
    sockets[0]!.end();
    await closed;
    expect((await engine.send({ origin })).status).toBe(200);
    expect(sockets.length).toBe(2);
  });

  test("are closed with the engine, which takes no more requests", async () => {
    const { origin, sockets } = await startRawUpstream((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    );
    const engine = createEngine();
    await textOf(await engine.send({ origin }));
    const closed = once(sockets[0]!, "close");
    await engine.close();
    await closed;
    await expect(engine.send({ origin })).rejects.toThrow("closed");
  });
});

describe("cancelling", () => {
  const reason = new Error("The client went away.");

  test("before there is a connection", async () => {
    const upstream = await startHttpUpstream((_req, res) => res.end());
    const engine = createEngine();
    let cancelNow: (reason: Error) => void = () => undefined;
    const sent = engine.send({ origin: upstream.origin }, (cancel) => (cancelNow = cancel));
    cancelNow(reason);
    await expect(sent).rejects.toBe(reason);
    await textOf(await engine.send({ origin: upstream.origin, path: "/second" }));
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/second"]);
  });

  test("of a request that was cancelled before it began", async () => {
    const upstream = await startHttpUpstream((_req, res) => res.end());
    await expect(createEngine().send({ origin: upstream.origin }, (cancel) => cancel(reason))).rejects.toBe(reason);
    expect(upstream.requests).toEqual([]);
  });

  test("while the answer is awaited", async () => {
    let cancelNow: (reason: Error) => void = () => undefined;
    const { origin, sockets } = await startRawUpstream(() => cancelNow(reason));
    const sent = createEngine().send({ origin }, (cancel) => (cancelNow = cancel));
    await expect(sent).rejects.toBe(reason);
    if (!sockets[0]!.closed) await once(sockets[0]!, "close");
  });

  test("in the middle of the body", async () => {
    let cancelNow: (reason: Error) => void = () => undefined;
    const { origin, sockets } = await startRawUpstream((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"),
    );
    const answer = await createEngine().send({ origin }, (cancel) => (cancelNow = cancel));
    const read = textOf(answer);
    const closed = once(sockets[0]!, "close");
    cancelNow(reason);
    await expect(read).rejects.toBe(reason);
    await closed;
  });
});
