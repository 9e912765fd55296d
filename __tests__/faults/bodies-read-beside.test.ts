import { once } from "node:events";
import net from "node:net";
import { createInterface } from "node:readline";
import { PassThrough, pipeline, type Readable, Writable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { createGunzip, gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import {
  createAnswer,
  type DelegatingHandler,
  type GatewayOptions,
  metadataResponder,
  type RequestObserver,
  type UpstreamResponse,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { piecesOf } from "../helpers/pieces-of.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { untilTrue } from "../bodies/until-true.ts";
import { watchProcess } from "../helpers/watch-process.ts";

const long = "line of text\n".repeat(30_000);

async function start(
  answer: NonNullable<Parameters<typeof startUpstream>[0]>,
  handlers: readonly DelegatingHandler[],
  create: (typeof engines)[number]["create"],
  { cached = {}, ...more }: Readonly<{ cached?: object }> & Pick<GatewayOptions, "responder" | "observers"> = {},
) {
  const upstream = await startUpstream(answer);
  const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const Routes = ["a", "b"].map((Key) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    DownstreamPathTemplate: `/${Key}`,
    ...hosts,
  }));
  Routes.push({ ...Routes[0]!, Key: "cached", UpstreamPathTemplate: "/cached", ...cached });
  const Aggregates = [{ UpstreamPathTemplate: "/all", RouteKeys: ["a", "b"] }];
  const options = { engine: create(), logger: false, handlers: [...handlers], ...more } as const;
  const gateway = await startGateway({ Routes, Aggregates }, options);
  const stop = async (): Promise<void> => {
    await gateway.close();
    await upstream.close();
  };
  return { gateway, stop };
}

const cached = { CacheOptions: { TtlSeconds: 60, BeforeHandlers: true } };

/** Does something with the body of an answer, and gives the answer back. */
function beside(act: (body: Readable) => unknown): DelegatingHandler {
  return async (_outgoing, next) => {
    const answer = await next();
    await act(answer.body);
    return answer;
  };
}

/** How code reads a body beside its answer; what it has had before that is written is lost to others. */
const readings: Readonly<Record<string, (body: Readable) => unknown>> = {
  "a loop": (body) => void body.forEach(() => undefined).catch(() => undefined),
  "a loop for all of it": (body) => void text(body).catch(() => undefined),
  "a pipeline into a generator": (body) =>
    pipeline(
      body,
      (pieces) => piecesOf(pieces as Readable),
      () => undefined,
    ),
  "a listener": (body) => body.on("data", () => undefined),
  "a pipe": (body) => body.pipe(new PassThrough()).resume(),
  "nobody, though it flows": (body) => body.resume(),
  "a listener that leaves, and lets it flow": (body) => once(body, "data"),
  "a listener behind what was given back": (body) => {
    body.unshift(Buffer.alloc(0));
    body.on("data", () => undefined);
  },
};

async function replace(
  answer: UpstreamResponse,
  make: (body: Readable) => Readable | Promise<Buffer>,
): Promise<UpstreamResponse> {
  answer.body = await make(answer.body);
  return answer;
}

async function lookAtBeginning(body: Readable): Promise<void> {
  await once(body, "readable");
  expect(typeof body.unshift(body.read())).toBe("boolean");
}

describe.each(engines)("Bodies that code reads beside ($name)", ({ create }) => {
  /** The client gets all of a long answer that passes these handlers. */
  async function expectWhole(handlers: readonly DelegatingHandler[]): Promise<void> {
    const { gateway, stop } = await start((_req, res) => void res.end(long), handlers, create);
    expect(await (await fetch(`${gateway.origin}/a`)).text()).toBe(long);
    await stop();
  }

  test("go on to the client where the target of a copy fails", async () => {
    const copies = beside((body) => {
      const full = new Writable({ write: (_piece, _encoding, done) => done(new Error("no space left")) });
      full.on("error", () => undefined);
      body.pipe(full);
    });
    await expectWhole([copies]);
  });

  test("may have as many listeners as any stream before Node warns", async () => {
    const listens = beside((body) => {
      for (const event of ["data", "end", "error", "close"]) body.on(event, () => undefined);
    });
    const disturbances = watchProcess();
    await expectWhole(Array<DelegatingHandler>(10).fill(listens));
    expect(disturbances.take()).toEqual([]);
    disturbances.stop();
  });

  test("do not look whole in an aggregate where a loop has taken some of them", async () => {
    const takes = beside((body) => {
      void text(body).catch(() => undefined);
      return pause(20);
    });
    const { gateway, stop } = await start(
      (_req, res) => {
        res.setHeader("content-type", "text/plain").setHeader("content-length", long.length);
        res.write(long.slice(0, 30_000));
        setTimeout(() => res.end(long.slice(30_000)), 50);
      },
      [takes],
      create,
    );
    const asked = fetch(`${gateway.origin}/all`).then(async (answer) => {
      const said = await answer.text();
      return answer.status === 200 && (JSON.parse(said) as object);
    });
    expect(await asked.catch(() => false)).toBe(false);
    await stop();
  });

  describe.each(["chunked", "told"])("of a length that is %s", (framing) => {
    async function ask(reading: (body: Readable) => unknown): Promise<Response[]> {
      const { gateway, stop } = await start(
        (_req, res) => {
          if (framing === "told") res.setHeader("content-length", "begin and end".length);
          res.setHeader("cache-control", "max-age=60").write("begin");
          setTimeout(() => res.end(" and end"), 50);
        },
        [beside(reading)],
        create,
        { cached },
      );
      const ways = ["a", "a", "cached"];
      const answers: Response[] = [];
      for (const way of ways) {
        const answer = await fetch(`${gateway.origin}/${way}`);
        answers.push(new Response(await answer.text(), { status: answer.status }));
      }
      await stop();
      return answers;
    }

    test("are refused, and not kept, where code has had their beginning", async () => {
      await Promise.all(Object.values(readings).map(refuse));

      async function refuse(reading: (body: Readable) => unknown): Promise<void> {
        const answers = await ask((body) => {
          reading(body);
          return once(body, "data").then(() => pause(20));
        });
        for (const answer of answers) {
          expect(answer.status).toBe(500);
          expect(await answer.text()).toMatch(/was read (to its end )?before it was written/);
        }
      }
    });

    test.each<[string, (body: Readable) => unknown]>([
      ["looks at it and gives it back", lookAtBeginning],
      [
        "gives it back, and listens to all of it",
        async (body) => {
          await lookAtBeginning(body);
          body.on("data", () => undefined);
        },
      ],
    ])("come whole where code %s", async (_name, reading) => {
      for (const answer of await ask(reading)) expect(await answer.text()).toBe("begin and end");
    });
  });

  test("come whole where code has looked at a stream of its own before it gives and hears it", async () => {
    const looks: DelegatingHandler = async (_outgoing, next) => {
      const own = (await next()).body.pipe(new PassThrough());
      await lookAtBeginning(own);
      own.on("data", () => undefined);
      return createAnswer({ status: 200, body: own });
    };
    await expectWhole([looks]);
  });

  test("are not needed for an answer that has none, before a cache as elsewhere", async () => {
    const reads: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      await text(answer.body);
      return Object.assign(answer, { status: 204 });
    };
    const { gateway, stop } = await start((_req, res) => void res.end("whole"), [reads], create, { cached });
    for (const way of ["a", "cached"]) expect((await fetch(`${gateway.origin}/${way}`)).status).toBe(204);
    await stop();
  });

  test("are refused behind the metadata, too, where code has had their beginning", async () => {
    const reads = beside((body) => {
      body.on("data", () => undefined);
      return untilTrue(() => body.readableDidRead);
    });
    const { gateway, stop } = await start(
      (_req, res) => {
        res.setHeader("content-type", "application/json").write("12");
        setTimeout(() => res.end("34"), 30);
      },
      [reads],
      create,
      { responder: metadataResponder() },
    );
    expect((await fetch(`${gateway.origin}/a`)).status).toBe(500);
    await stop();
  });

  test("do not look whole to the service where others have read them before", async () => {
    const bodies: Buffer[] = [];
    const reads: DelegatingHandler = async (outgoing, next) => {
      const sent = (outgoing.body as Readable).pipe(new PassThrough());
      outgoing.body = sent;
      await buffer(sent);
      return next();
    };
    const hashes: DelegatingHandler = (outgoing, next) => {
      const sent = (outgoing.body as Readable).pipe(new PassThrough());
      outgoing.body = sent;
      void buffer(sent).catch(() => undefined);
      return next();
    };
    for (const handler of [reads, hashes]) {
      const { gateway, stop } = await start(
        (req, res) => {
          void buffer(req).then((body) => bodies.push(body));
          req.on("end", () => res.end());
        },
        [handler],
        create,
      );
      const { status } = await fetch(`${gateway.origin}/a`, { method: "POST", body: "whole" });
      expect(status === 500 || bodies.every((body) => String(body) === "whole")).toBe(true);
      await stop();
    }
  });

  test.each<[string, DelegatingHandler]>([
    ["reads all of it", async (_outgoing, next) => replace(await next(), buffer)],
    [
      "reads all of it later",
      async (_outgoing, next) => replace(await next(), async (body) => (await pause(60), buffer(body))),
    ],
    [
      "composes it",
      async (_outgoing, next) => replace(await next(), (body) => body.compose(new PassThrough()) as Readable),
    ],
    ["maps it", async (_outgoing, next) => replace(await next(), (body) => body.map((piece: Buffer) => piece))],
  ])("fail as the upstream where that breaks off, and code %s", async (_name, handler) => {
    const errors: unknown[] = [];
    const observer: RequestObserver = { begin: () => ({ ended: ({ error }) => void errors.push(error) }) };
    const { gateway, stop } = await start(
      (_req, res) => {
        res.setHeader("content-length", 10).write("half");
        setTimeout(() => res.destroy(), 20);
      },
      [handler],
      create,
      { observers: [observer] },
    );
    await fetch(`${gateway.origin}/a`).then(
      (answer) => answer.text().catch(() => "cut"),
      () => "cut",
    );
    await untilTrue(() => errors.length > 0);
    expect(errors).toEqual(["upstream-reset"]);
    await stop();
  });

  test("fail for another handler that reads them, where the service breaks off", async () => {
    const unzips: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      answer.body = pipeline(answer.body, createGunzip(), () => undefined);
      return answer;
    };
    const reads: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      answer.body = await text(answer.body);
      return answer;
    };
    const zipped = gzipSync(Buffer.from(long));
    const { gateway, stop } = await start(
      (_req, res) => {
        res.setHeader("content-encoding", "gzip");
        res.write(zipped.subarray(0, 100));
        setTimeout(() => res.destroy(), 50);
      },
      [reads, unzips],
      create,
    );
    expect((await fetch(`${gateway.origin}/a`)).status).toBeGreaterThanOrEqual(500);
    await stop();
  });

  test("end no process where lines of an upload were read, and its client closes behind the answer to its failure", async () => {
    const checks: DelegatingHandler = async (outgoing, next) => {
      for await (const line of createInterface({ input: outgoing.body as Readable })) JSON.parse(line);
      return next();
    };
    const { gateway, stop } = await start((_req, res) => void res.end(), [checks], create);
    const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
    client.write("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nno JSON\n");
    expect(String((await once(client, "data"))[0])).toMatch(/^HTTP\/1.1 500/);
    client.end();
    await pause(50);
    await stop();
  });
});
