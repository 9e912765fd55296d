import net from "node:net";
import zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Gateway, metadataResponder } from "../../src/index.ts";
import { isLong } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

const original = '{"numbers":[1,2,3]}';
const member = Buffer.from(original);
const maxBytes = 100_000;

const compressed: Readonly<Record<string, Buffer>> = {
  br: zlib.brotliCompressSync(member),
  gzip: zlib.gzipSync(member),
  "gzip in two members": Buffer.concat([zlib.gzipSync('{"numbers"'), zlib.gzipSync(":[1,2,3]}")]),
  zstd: zlib.zstdCompressSync(member),
  "zstd in two frames": Buffer.concat([zlib.zstdCompressSync('{"numbers"'), zlib.zstdCompressSync(":[1,2,3]}")]),
};

/** How an upstream tells the end of its answer: the whole answer, before it is cut. */
const framings: Readonly<Record<string, (body: Buffer) => { head: string; body: Buffer }>> = {
  "a length": (body) => ({ head: `Content-Length: ${body.length}\r\n`, body }),
  chunks: (body) => ({
    head: "Transfer-Encoding: chunked\r\n",
    body: Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]),
  }),
  "the end of the connection": (body) => ({ head: "Connection: close\r\n", body }),
};

/** Bytes that the next connection gets, by the path that is asked for. */
const answers = new Map<string, Buffer>();

function createAnswer(coding: string, type: string, head: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: ${coding.split(" ")[0]!}\r\n${head}\r\n`,
    ),
    body,
  ]);
}

type Outcome = { status: number; body: string } | "cut";

/** What may come of a body that is not whole: an error, a connection that is visibly cut, never something to be believed. */
function isHonest(outcome: Outcome): boolean {
  return outcome === "cut" || outcome.status === 502;
}

function secondPart(coding: string): number {
  return coding.startsWith("gzip") ? zlib.gzipSync('{"numbers"').length : zlib.zstdCompressSync('{"numbers"').length;
}

describe.each(engines)("$name", ({ create, turn }) => {
  let server: net.Server;
  let running: RunningGateway;
  let gateway: Gateway;

  beforeAll(async () => {
    server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (bytes) => socket.end(answers.get(bytes.toString("latin1").split(" ")[1]!)!));
    });
    const port = await listen(server as never);
    const route = {
      UpstreamPathTemplate: "/{path}",
      DownstreamPathTemplate: "/{path}",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    };
    running = await startGateway({ Routes: [route] }, { responder: metadataResponder({ maxBytes }), engine: create() });
    ({ gateway } = running);
  });

  afterAll(async () => {
    await gateway.close({ grace: 0 });
    await closeServer(running.server);
    await new Promise((resolve) => server.close(resolve));
  });

  function ask(path: string): Promise<Outcome> {
    return request({ port: running.port, path }).then(
      ({ status, body }) => ({ status, body: body.toString() }),
      () => "cut",
    );
  }

  /** For HTTP/1.0 the end of the connection is the end of the body: only a reset tells that something is missing. */
  async function askOldFashioned(path: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const socket = net.connect(running.port, "127.0.0.1");
      let received = "";
      socket.on("data", (chunk) => (received += chunk.toString("latin1")));
      socket.on("error", () => resolve("cut"));
      socket.on("end", () => {
        const [head = "", body = ""] = received.split("\r\n\r\n");
        resolve({ status: Number(head.split(" ")[1]), body });
      });
      socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    });
  }

  describe.each(Object.entries(framings))("a compressed answer that is ended by %s", (_framing, frame) => {
    test.each(Object.keys(compressed))("%s, cut after every byte", async (coding) => {
      const { head, body } = frame(compressed[coding]!);
      // Before the first byte of a body that the connection delimits, a cut answer is an empty one.
      const first = head.startsWith("Connection") ? 1 : 0;
      const lengths = Array.from({ length: body.length - first }, (_, index) => first + index);
      // Between two members or frames nothing tells that there should be another, unless the framing does.
      const cuts = lengths.filter(
        (length) => !(first === 1 && coding.includes("two") && length === secondPart(coding)),
      );
      for (const length of cuts) {
        answers.set(`/${length}`, createAnswer(coding, "application/json", head, body.subarray(0, length)));
      }
      // In the short form each place is asked for once, by turns in the one and the other version at each engine.
      const asked = (old: number) => cuts.filter((length) => isLong || length % 4 === 2 * turn + old);
      const outcomes = await Promise.all([
        ...asked(0).map((length) => ask(`/${length}`)),
        ...asked(1).map((length) => askOldFashioned(`/${length}`)),
      ]);
      expect(outcomes.filter((outcome) => !isHonest(outcome))).toEqual([]);
      answers.set("/whole", createAnswer(coding, "application/json", head, body));
      expect(await ask("/whole")).toEqual({ status: 200, body: `{"Response": ${original}, "Metadata": {}}` });
      expect(await askOldFashioned("/whole")).toMatchObject({ status: 200 });
    });
  });

  describe("what is wrong with a body that says it is compressed", () => {
    const emptyFrame = Buffer.from("28b52ffd2000010000", "hex");
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const wideWindow = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (24 - 10) << 3, 0x0b, 0, 0, 0x31]);
    const whole = { status: 200, body: original };
    const refused = { status: 502 };
    const half = Buffer.concat([
      zlib.gzipSync(Buffer.from("x".repeat(50))),
      Buffer.from("garbage, not another member"),
    ]);

    test.each([
      { title: "it is not", coding: "gzip", body: member, expected: refused },
      { title: "it is not", coding: "br", body: Buffer.from("this is not compressed at all"), expected: refused },
      { title: "it is not", coding: "zstd", body: member, expected: refused },
      { title: "nothing, it is empty", coding: "gzip", body: Buffer.alloc(0), expected: { status: 200, body: "" } },
      { title: "nothing, it is empty", coding: "zstd", body: Buffer.alloc(0), expected: { status: 200, body: "" } },
      {
        title: "nothing, it is compressed emptiness",
        coding: "br",
        body: zlib.brotliCompressSync(""),
        expected: { status: 200, body: "" },
      },
      {
        title: "nothing, zeros may follow a member",
        coding: "gzip",
        body: Buffer.concat([compressed.gzip!, Buffer.alloc(9)]),
        expected: whole,
      },
      { title: "garbage follows a member", coding: "gzip", body: half, expected: refused },
      {
        title: "nothing, a frame may be skipped",
        coding: "zstd",
        body: Buffer.concat([skippable, compressed.zstd!]),
        expected: whole,
      },
      {
        title: "garbage follows a frame",
        coding: "zstd",
        body: Buffer.concat([compressed.zstd!, Buffer.from("garbage")]),
        expected: "cut",
      },
      {
        title: "nothing, there are a few empty frames",
        coding: "zstd",
        body: Buffer.concat([...Array<Buffer>(15).fill(emptyFrame), compressed.zstd!]),
        expected: whole,
      },
      {
        title: "there are frames without end that hold nothing",
        coding: "zstd",
        body: Buffer.concat([...Array<Buffer>(18).fill(emptyFrame), compressed.zstd!]),
        expected: refused,
      },
      {
        title: "there are frames without end that may be skipped",
        coding: "zstd",
        body: Buffer.concat([...Array<Buffer>(18).fill(skippable), compressed.zstd!]),
        expected: refused,
      },
      { title: "the window is wider than RFC 9659 allows", coding: "zstd", body: wideWindow, expected: refused },
      {
        title: "nothing, it is as large as allowed",
        coding: "gzip",
        body: zlib.gzipSync("x".repeat(maxBytes)),
        expected: { status: 200, body: "x".repeat(maxBytes) },
      },
      {
        title: "it is larger than allowed",
        coding: "gzip",
        body: zlib.gzipSync("x".repeat(maxBytes + 1)),
        expected: "cut",
      },
      {
        title: "it is larger than allowed",
        coding: "br",
        body: zlib.brotliCompressSync("x".repeat(maxBytes + 1)),
        expected: "cut",
      },
      {
        title: "it is larger than allowed",
        coding: "zstd",
        body: zlib.zstdCompressSync("x".repeat(maxBytes + 1)),
        expected: "cut",
      },
    ])("$title ($coding)", async ({ coding, body, expected }) => {
      const { head, body: framed } = framings["a length"]!(body);
      answers.set("/one", createAnswer(coding, "text/plain", head, framed));
      expect([await ask("/one")]).toMatchObject([expected]);
    });
  });

  test("a client of HTTP/1.0 gets the same bytes, ended by the end of the connection", async () => {
    const { head, body } = framings["a length"]!(compressed.gzip!);
    answers.set("/old", createAnswer("gzip", "application/json", head, body));
    const text = await sendBytes(running.port, "GET /old HTTP/1.0\r\n\r\n");
    expect(text).not.toMatch(/transfer-encoding/i);
    expect(text.endsWith(`\r\n\r\n{"Response": ${original}, "Metadata": {}}`)).toBe(true);
  });
});
