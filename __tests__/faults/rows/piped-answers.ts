import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type UpstreamResponse } from "../../../src/index.ts";
import type { Wire } from "../wire.ts";
import type { Check, Row } from "./row.ts";

/** What a handler makes its answer of. */
type Upstream = Readonly<{ answer: UpstreamResponse; next: () => Promise<UpstreamResponse> }>;
type Make = (upstream: Upstream) => UpstreamResponse | Promise<UpstreamResponse>;

/** Breaks each answer off some time after its first bytes. */
const breaking = ({ socket, until, write }: Wire): void =>
  void until("\r\n\r\n").then(() => {
    write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
    setTimeout(() => socket.resetAndDestroy(), 30);
  });

const through = (body: Readable): Readable => body.pipe(new PassThrough());
const anew = (body: Readable | string): UpstreamResponse => createAnswer({ status: 200, body });

async function brokenBody({ body }: UpstreamResponse): Promise<Readable> {
  body.on("error", () => undefined);
  await new Promise((resolve) => body.once("close", resolve));
  return body;
}

function toRow(name: string, gets: Row["gets"], ...makes: readonly Make[]): Row {
  const handlers = makes.map(
    (make): DelegatingHandler =>
      async (_outgoing, next) =>
        make({ answer: await next(), next }),
  );
  return {
    name: `handler ${name}, as the upstream resets`,
    gets,
    options: { serveOne: breaking, gateway: { handlers } },
  };
}

/** The client gets the beginning, and sees that the rest is missing. */
function cut(name: string, ...makes: readonly Make[]): Row {
  const showsFirst: Check = (_scene, wire) => expect(wire.received()).toContain("abc");
  return { ...cutBefore(name, ...makes), more: showsFirst };
}

function cutBefore(name: string, ...makes: readonly Make[]): Row {
  return toRow(`answers with ${name}`, "cut", ...makes);
}

/** Answers of handlers that are piped from an upstream's answer which breaks off. */
export const pipedAnswerRows: readonly Row[] = [
  cut("a pipe of the body", ({ answer }) => anew(through(answer.body))),
  cut("a pipe of a pipe of the body", ({ answer }) => anew(through(through(answer.body)))),
  cut("a pipe of the body, in an object of its own", ({ answer: { status, statusText, body } }) => ({
    status,
    statusText,
    headers: {},
    body: through(body),
  })),
  cut("a pipe of the body, assigned to an answer of its own", ({ answer }) => {
    const own = createAnswer({ status: 200 });
    own.body = through(answer.body);
    return own;
  }),
  cut("a pipe of an answer of its own that is a pipe", ({ answer }) => anew(through(anew(through(answer.body)).body))),
  cut(
    "a pipe of an inner answer that is a pipe",
    ({ answer }) => anew(through(answer.body)),
    ({ answer }) => anew(through(answer.body)),
  ),
  cut("a stream into which the body is piped afterwards", ({ answer }) => {
    const stream = new PassThrough();
    setImmediate(() => answer.body.pipe(stream));
    return anew(stream);
  }),
  cut("a pipe of its second answer", async ({ answer, next }) => {
    answer.body.on("error", () => undefined).resume();
    return anew(through((await next()).body));
  }),
  cutBefore("a pipe of what has broken off", async ({ answer }) => anew(through(await brokenBody(answer)))),
  cutBefore("a stream into which it pipes what has broken off", async ({ answer }) => {
    const stream = new PassThrough();
    const own = anew(stream);
    (await brokenBody(answer)).pipe(stream);
    return own;
  }),
  cutBefore("a stream into which is piped afterwards what has broken off", async ({ answer }) => {
    const stream = new PassThrough();
    const body = await brokenBody(answer);
    setImmediate(() => body.pipe(stream));
    return anew(stream);
  }),
  toRow("reads the body and answers by itself", ["mended"], async ({ answer }) =>
    anew(await text(answer.body).catch(() => "mended")),
  ),
  toRow("takes its stream off and ends it later", ["abc", "mended", "0\r\n\r\n"], ({ answer: { body } }) => {
    const stream = new PassThrough();
    body.pipe(stream);
    body.on("error", () => {
      body.unpipe(stream);
      setImmediate(() => stream.end("mended"));
    });
    return anew(stream);
  }),
  toRow("ends a stream that it pipes on", ["abc", "mended", "0\r\n\r\n"], ({ answer: { body } }) => {
    const stream = new PassThrough();
    body.on("error", () => stream.end("mended"));
    return anew(through(body.pipe(stream)));
  }),
];
