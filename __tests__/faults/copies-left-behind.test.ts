import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import http from "node:http";
import net from "node:net";
import { devNull } from "node:os";
import { PassThrough, pipeline, Readable, Transform, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler } from "../../src/index.ts";
import { untilTrue } from "../bodies/until-true.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { piecesOf } from "../helpers/pieces-of.ts";

/** How code copies a body into a file, beside what its client gets or behind that. */
const copyings: Readonly<Record<string, (body: Readable, file: WriteStream) => unknown>> = {
  piped: (body, file) => body.pipe(file),
  mapped: (body, file) => body.map((piece: Buffer) => piece).pipe(file),
  filtered: (body, file) =>
    body
      .map((piece: Buffer) => piece)
      .filter(() => true)
      .pipe(file),
  composed: (body, file) => (body.compose(new PassThrough()) as Readable).pipe(file),
  composedOfMapped: (body, file) =>
    (body.map((piece: Buffer) => piece).compose(new PassThrough()) as Readable).pipe(file),
  pipedAndMapped: (body, file) =>
    body
      .pipe(new PassThrough())
      .map((piece: Buffer) => piece)
      .pipe(file),
  pipeline: (body, file) => pipeline(body, file, () => undefined),
  mappedInPipeline: (body, file) =>
    pipeline(
      body.map((piece: Buffer) => piece),
      file,
      () => undefined,
    ),
};

/** How it copies a stream that it gives, as well, before it gives that. */
const copyingsOfGiven: Readonly<Record<string, (given: Readable) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(copyings).map(([kind, copy]) => [
      kind,
      (given: Readable) => copy(given, createWriteStream(devNull)),
    ]),
  ),
  generated: (given) => Readable.from(piecesOf(given)).pipe(createWriteStream(devNull)),
  mappedInVainAndGenerated(given) {
    given.map((piece: Buffer) => piece);
    Readable.from(piecesOf(given)).pipe(createWriteStream(devNull));
  },
  mappedAndGenerated(given) {
    given.map((piece: Buffer) => piece).pipe(createWriteStream(devNull));
    Readable.from(piecesOf(given)).pipe(createWriteStream(devNull));
  },
};

const path = /\w+$/;

function startEndless() {
  return startUpstream((_req, res) => {
    const writing = setInterval(() => res.write("line\n"), 10);
    res.on("close", () => clearInterval(writing));
  });
}

describe.each(engines)("Copies that code makes of bodies ($name)", ({ create }) => {
  test.each([
    ["at once", async () => undefined],
    ["once it has waited for longer than its client", () => pause(1_100)],
  ])("are closed when the client leaves, begun %s", async (_when, wait) => {
    const upstream = await startEndless();
    const files: WriteStream[] = [];
    const clients = new Map<string, net.Socket>();
    const copies: DelegatingHandler = async (outgoing, next) => {
      const answer = await next();
      const [kind] = path.exec(outgoing.path)!;
      setTimeout(() => clients.get(kind)!.destroy(), 50);
      await wait();
      const file = createWriteStream(devNull);
      files.push(file);
      copyings[kind]!(answer.body, file);
      return answer;
    };
    const route = { UpstreamPathTemplate: "/{kind}", DownstreamPathTemplate: "/{kind}" };
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const config = { Routes: [{ ...route, ...hosts }] };
    const gateway = await startGateway(config, { logger: false, engine: create(), handlers: [copies] });
    for (const kind of Object.keys(copyings)) {
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      clients.set(kind, client);
      client.write(`GET /${kind} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    while (files.length < clients.size || !files.every(({ closed }) => closed)) await pause(10);
    await gateway.close();
    await upstream.close();
  });

  test("are closed wherever they go when the client leaves, or the service breaks off", async () => {
    const takers = await startUpstream((req) => void req.resume());
    const clients = new Map<string, net.Socket>();
    const leaveSoon = (url: string): void => void setTimeout(() => clients.get(url)!.destroy(), 20);
    const upstream = await startUpstream((req, res) => {
      res.write("begin");
      if (req.url!.startsWith("/broken")) setTimeout(() => res.destroy(), 20);
      else leaveSoon(req.url!);
    });
    const targets: Readonly<Record<string, () => Writable | http.ClientRequest>> = {
      stream: () => new Writable({ write: (_piece, _encoding, done) => done() }),
      connection: () => net.connect(takers.port, "127.0.0.1"),
      request: () => http.request({ port: takers.port, method: "POST" }),
      program: () => spawn("cat", { stdio: ["pipe", "ignore", "inherit"] }).stdin,
    };
    const begun: (Writable | http.ClientRequest)[] = [];
    const copies: DelegatingHandler = async (outgoing, next) => {
      const answer = await next();
      const target = targets[path.exec(outgoing.path)![0]]!();
      begun.push(target.on("error", () => undefined));
      answer.body.pipe(target);
      return answer;
    };
    const route = { UpstreamPathTemplate: "/{way}/{kind}", DownstreamPathTemplate: "/{way}/{kind}" };
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const config = { Routes: [{ ...route, ...hosts }] };
    const gateway = await startGateway(config, { logger: false, engine: create(), handlers: [copies] });
    const urls = Object.keys(targets).flatMap((kind) => [`/broken/${kind}`, `/left/${kind}`]);
    for (const url of urls) {
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      clients.set(url, client.resume());
      client.write(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    await untilTrue(() => begun.length === urls.length && begun.every(({ closed }) => closed));
    await gateway.close();
    await upstream.close();
    await takers.close();
  });

  test("end no process where they are begun behind the answer", async () => {
    const upstream = await startEndless();
    const files = new Map<string, WriteStream>();
    const copies: DelegatingHandler = async (outgoing, next) => {
      const answer = await next();
      const { body } = outgoing.path.startsWith("/had") ? answer : {};
      setTimeout(() => {
        const file = createWriteStream(devNull);
        files.set(outgoing.path, file);
        copyings[path.exec(outgoing.path)![0]]!(body ?? answer.body, file);
      }, 20);
      return createAnswer({ status: 202, body: "" });
    };
    const route = { UpstreamPathTemplate: "/{way}/{kind}", DownstreamPathTemplate: "/{way}/{kind}" };
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const config = { Routes: [{ ...route, ...hosts }] };
    const gateway = await startGateway(config, { logger: false, engine: create(), handlers: [copies] });
    const kinds = Object.keys(copyings).flatMap((kind) => [`/had/${kind}`, `/asked/${kind}`]);
    const statuses = await Promise.all(kinds.map(async (kind) => (await fetch(gateway.origin + kind)).status));
    expect(statuses).toEqual(kinds.map(() => 202));
    while (files.size < kinds.length) await pause(10);
    // Node never ends what is only piped from a stream that has failed before.
    for (const [kind, file] of files) if (!kind.includes("/piped")) while (!file.closed) await pause(10);
    await gateway.close();
    await upstream.close();
  });

  test("of a stream that code has beside end no process", async () => {
    await Promise.all(Object.values(copyingsOfGiven).map(play));

    async function play(copying: (given: Readable) => unknown): Promise<void> {
      const upstream = await startUpstream((req, res) => {
        res.write("begin");
        if (req.url === "/breaks") setTimeout(() => res.destroy(), 50);
        else if (req.url === "/whole") res.end();
        else req.resume();
      });
      const delays = (): Transform =>
        new Transform({ transform: (piece, _encoding, done) => void setTimeout(done, 1, null, piece) });
      const copiesAnswer: DelegatingHandler = async (outgoing, next) => {
        if (outgoing.body !== null) {
          const sent = (outgoing.body as Readable).pipe(delays());
          copying(sent);
          outgoing.body = sent;
        }
        const answer = await next();
        if (outgoing.path.endsWith("own")) copying(answer.body);
        else {
          const given = answer.body.pipe(delays());
          copying(given);
          answer.body = given;
        }
        return answer;
      };
      const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
      const Routes = ["/", "/b/"].map((path, at) => ({
        Key: String(at),
        UpstreamPathTemplate: `${path}{way}`,
        DownstreamPathTemplate: "/{way}",
        ...hosts,
      }));
      const config = { Routes, Aggregates: [{ UpstreamPathTemplate: "/all/{way}", RouteKeys: ["0", "1"] }] };
      const gateway = await startGateway(config, { logger: false, engine: create(), handlers: [copiesAnswer] });
      expect(await (await fetch(`${gateway.origin}/whole`)).text()).toBe("begin");
      expect((await fetch(`${gateway.origin}/whole`, { method: "HEAD" })).status).toBe(200);
      await expect(fetch(`${gateway.origin}/breaks`).then((answer) => answer.text())).rejects.toThrow();
      const leave = async (request: string): Promise<void> => {
        const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
        client.write(request);
        // An upload that stands still is answered by nobody.
        await (request.startsWith("GET") ? once(client, "data") : pause(100));
        client.destroy();
      };
      const gets = ["/stays", "/stays-own", "/all/stays", "/all/stays-own"].map(
        (way) => `GET ${way} HTTP/1.1\r\nHost: a\r\n\r\n`,
      );
      await Promise.all([...gets, "POST /stays HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf"].map(leave));
      await pause(50);
      await gateway.close();
      await upstream.close();
    }
  });

  test("of a body that has ended have nothing", async () => {
    const upstream = await startUpstream((_req, res) => void res.end("whole"));
    const copies: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      const whole = await text(answer.body);
      const copied = await answer.body.map((piece: Buffer) => piece).toArray();
      return createAnswer({ status: 200, body: `${whole}, and ${copied.length} more` });
    };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/" };
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const gateway = await startGateway({ Routes: [{ ...route, ...hosts }] }, { engine: create(), handlers: [copies] });
    expect(await (await fetch(gateway.origin)).text()).toBe("whole, and 0 more");
    await gateway.close();
    await upstream.close();
  });

  test.each([
    ["fails by itself", () => new Error("broken"), 1],
    ["fails with its body", () => undefined, 0],
  ])("tell of a failure that nobody listens to, where one %s", async (_name, fails, times) => {
    const upstream = await startUpstream((_req, res) => {
      res.write("begin");
      setTimeout(() => res.destroy(), 20);
    });
    const told: unknown[] = [];
    const ignore = (): void => undefined;
    const logger = {
      debug: ignore,
      info: ignore,
      warn: (_of: unknown, text: string) => told.push(text),
      error: ignore,
    };
    const files: WriteStream[] = [];
    const copies: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      files.push(createWriteStream(devNull));
      const check = (piece: Buffer): Buffer => {
        const error = fails();
        if (error !== undefined) throw error;
        return piece;
      };
      answer.body.map(check).pipe(files[0]!);
      return answer;
    };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/" };
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const config = { Routes: [{ ...route, ...hosts }] };
    const gateway = await startGateway(config, { logger, engine: create(), handlers: [copies] });
    await expect(fetch(gateway.origin).then((answer) => answer.text())).rejects.toThrow();
    while (files[0]?.closed !== true) await pause(10);
    expect(told.filter((text) => String(text).startsWith("A stream that code has made"))).toHaveLength(times);
    await gateway.close();
    await upstream.close();
  });
});
