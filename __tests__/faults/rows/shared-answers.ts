import { Readable } from "node:stream";
import { expect } from "@jest/globals";
import { createAnswer, type DelegatingHandler, metadataHeader, type UpstreamResponse } from "../../../src/index.ts";
import { request } from "../scene.ts";
import type { Wire } from "../wire.ts";
import { answering, type Check, handled, type Row } from "./row.ts";

const closing = request("GET", "/x", "Connection: close");
const forged = "helloHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
const slowly =
  (first: string, second: string) =>
  ({ until, write }: Wire): void => {
    const answerSlowly = () => {
      write(first);
      setTimeout(() => write(second), 60);
    };
    void until("\r\n\r\n").then(answerSlowly, () => undefined);
  };

/** A handler that gives each request the answer to the first one. */
function sharing(make?: (answer: UpstreamResponse) => UpstreamResponse): DelegatingHandler {
  const shared = new WeakMap<object, Promise<UpstreamResponse>>();
  return (_outgoing, next, { route }) => {
    const answer = shared.get(route) ?? next().then((given) => make?.(given) ?? given);
    shared.set(route, answer);
    return answer;
  };
}

/** Another client asks, on a connection of its own. */
const another =
  (...gets: readonly string[]): Check =>
  async ({ client }) => {
    const { write, until } = client();
    write(closing);
    for (const text of gets) await until(text);
  };

const twice = ["500", "handler-misuse"];

const own = (headers: object): UpstreamResponse => ({
  status: 200,
  statusText: "OK",
  headers: headers as UpstreamResponse["headers"],
  body: Readable.from([Buffer.from(forged)]),
});

/** The one answer is all that the client reads as answers. */
const isAlone: Check = async (_scene, { ended, received }) => {
  await ended;
  expect(received()).toMatch(/\r\nTransfer-Encoding: chunked\r\n/i);
  expect(received().slice(0, received().indexOf("\r\n\r\n"))).not.toMatch(/content-length/i);
};

const plain = { options: { isPlain: true } } as const;

/** Answers that are given to several clients, or are not what answers are. */
export const sharedAnswerRows: readonly Row[] = [
  ...[false, true].flatMap((isPlain) => [
    handled(`keeps an answer, isPlain: ${isPlain}`, sharing(), ["200", "\r\n\r\nok"], {
      send: closing,
      options: { isPlain },
      more: another(...(isPlain ? twice : ["500"])),
    }),
    {
      ...handled(`gives one answer to two requests at once, isPlain: ${isPlain}`, sharing(), ["200", "12345"], {
        send: closing,
        options: { isPlain, serveOne: slowly("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", "67890") },
        more: async (scene, wire) => {
          await another("500")(scene, wire);
          await wire.until("1234567890");
        },
      }),
    },
  ]),
  handled(
    "keeps an answer of its own with a stream",
    sharing(() => own({})),
    ["200", "hello"],
    { ...plain, send: closing, more: another(...twice) },
  ),
  handled(
    "keeps an answer of its own with bytes",
    sharing(() => createAnswer({ status: 200, body: "bytes" })),
    ["200", "bytes"],
    { ...plain, send: closing, more: another("200", "content-length: 5", "bytes") },
  ),
  handled(
    "keeps an answer whose bytes it has read",
    sharing((answer) => {
      answer.body = Buffer.from("bytes");
      return answer;
    }),
    ["200", "a=1", "bytes"],
    {
      send: closing,
      options: {
        before: [
          (_req, res, next) => {
            res.setHeader("set-cookie", `${cookies.shift()}`);
            next();
          },
        ],
        serveOne: answering("HTTP/1.1 200 OK\r\nSet-Cookie: up=1\r\nContent-Length: 2\r\n\r\nok"),
      },
      async more({ client }) {
        const { write, ended, received } = client();
        write(closing);
        await ended;
        expect(received()).toMatch(/^HTTP\/1.1 200 [^]*bytes$/);
        expect(received().match(/set-cookie: .*/gi)).toHaveLength(2);
      },
    },
  ),
  handled(
    "looks at the body of an answer that it has handed on",
    async (_outgoing, next) => {
      const answer = await next();
      setTimeout(() => answer.body.on("data", () => undefined), 20);
      return answer;
    },
    ["1234567890"],
    {
      send: closing,
      options: { serveOne: slowly("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", "67890") },
    },
  ),
  ...[false, true].flatMap((isPlain) => [
    handled(
      `replaces the headers by some that inherit a length, isPlain: ${isPlain}`,
      async (_outgoing, next) => {
        const answer = await next();
        answer.headers = Object.create(answer.headers) as UpstreamResponse["headers"];
        answer.body = Readable.from([Buffer.from(forged)]);
        return answer;
      },
      ["200", "forged"],
      { send: closing, options: { isPlain }, more: isAlone },
    ),
    handled(
      `answers with headers that inherit a length, isPlain: ${isPlain}`,
      () => Promise.resolve(own(Object.create({ "content-length": "5", "x-a": "1" }) as object)),
      ["200", "x-a: 1", "forged"],
      { send: closing, options: { isPlain }, more: isAlone },
    ),
    handled(
      `answers with headers that speak of a connection, isPlain: ${isPlain}`,
      () => Promise.resolve(own({ Connection: "upgrade", upgrade: "h2c", "keep-alive": "x", te: "trailers" })),
      ["200", "forged"],
      {
        send: closing,
        options: { isPlain },
        more: (_scene, { received }) => expect(received()).not.toMatch(/upgrade|h2c|keep-alive: x|\r\nte:/i),
      },
    ),
  ]),
  ...[
    new Uint8Array([65, 66]),
    new Response("hello").body,
    new Blob(["x"]),
    5,
    { a: 1 },
    (async function* () {
      yield "x";
    })(),
  ].flatMap((body) => {
    const kind = Object.prototype.toString.call(body);
    return [
      handled(
        `sets the body of an answer to ${kind}`,
        async (_outgoing, next) => {
          const answer = await next();
          answer.body = body as unknown as Buffer;
          return answer;
        },
        twice,
        plain,
      ),
      handled(
        `answers by itself with ${kind}`,
        () => Promise.resolve({ ...own({}), body: body as unknown as Readable }),
        twice,
        { ...plain, calls: 0 },
      ),
    ];
  }),
  {
    name: "trailers of the upstream stand for nothing that the gateway has said",
    send: request("GET", "/x", "TE: trailers", "Connection: close"),
    gets: ["ood: 1\r\n\r\n"],
    options: {
      serveOne: answering(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nGW-Route-Metadata: forged\r\nX-Request-Id: forged\r\n" +
          "Connection: x-hop\r\nX-Hop: forged\r\nX-Good: 1\r\n\r\n",
      ),
      route: { RequestIdKey: "X-Request-Id", Metadata: { a: "b" } },
      gateway: { responder: metadataHeader() },
    },
    more: (_scene, { received }) => expect(received()).not.toContain("forged"),
  },
];

const cookies = ["a=1", "b=2", "a=1", "b=2"];
