import { once } from "node:events";
import type { RequestListener } from "node:http";
import net from "node:net";
import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import type { DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const ignore = (): undefined => undefined;

async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const piece of body) yield piece as Buffer;
}

type Listening = (body: Readable) => unknown;

/** What looks on beside the answer, and takes nothing of it. */
const listeners: Readonly<Record<string, Listening>> = {
  "a listener": (body) => body.on("data", ignore),
  "a pipe": (body) => body.pipe(new PassThrough()).resume(),
  "what is composed with it": (body) => (body.compose(new PassThrough()) as Readable).resume(),
};

/** What takes pieces of the answer, or waits for its end, and hears of no failure. */
const takers: Readonly<Record<string, Listening>> = {
  "web streams": (body) => Readable.fromWeb(Readable.toWeb(body)).resume(),
  "a promise of its end": (body) => void finished(body).then(ignore),
  "a generator": (body) => Readable.from(piecesOf(body)).on("data", ignore),
  "what is mapped": (body) => body.map((piece: Buffer) => piece).on("data", ignore),
};

async function start(listening: Listening, answer: RequestListener, engine: (typeof engines)[number]["create"]) {
  const upstream = await startUpstream(answer);
  const host = { Host: "127.0.0.1", Port: upstream.port };
  const Routes = ["a", "b"].map((Key) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    DownstreamPathTemplate: `/${Key}`,
    DownstreamHostAndPorts: [host],
  }));
  const listensBeside: DelegatingHandler = async (_outgoing, next) => {
    const answered = await next();
    listening(answered.body);
    return answered;
  };
  const Aggregates = [{ UpstreamPathTemplate: "/both", RouteKeys: ["a", "b"] }];
  const gateway = await startGateway({ Routes, Aggregates }, { engine: engine(), handlers: [listensBeside] });
  return { gateway, upstream };
}

async function stop({ gateway, upstream }: Readonly<{ gateway: RunningGateway; upstream: Upstream }>): Promise<void> {
  await gateway.close();
  await upstream.close();
}

describe.each(engines)("A part's body to which a handler listens ($name)", ({ create }) => {
  test.each(Object.entries(listeners))("is whole in the whole: %s", async (_name, listening) => {
    const running = await start(
      listening,
      (req, res) => {
        res.setHeader("content-type", "application/json");
        res.write("[1,");
        // The first part waits for the head of the second one, and its body is there by then.
        setTimeout(() => res.end("2]"), req.url === "/a" ? 0 : 50);
      },
      create,
    );
    expect(await (await fetch(`${running.gateway.origin}/both`)).text()).toBe('{"a":[1,2],"b":[1,2]}');
    await stop(running);
  });

  test.each(Object.entries({ ...listeners, ...takers }))(
    "ends no process when its client leaves: %s",
    async (_name, listening) => {
      const running = await start(
        listening,
        (_req, res) => {
          res.setHeader("content-type", "application/json");
          res.write("[1");
          const writing = setInterval(() => res.write(",1"), 10);
          res.on("close", () => clearInterval(writing));
        },
        create,
      );
      const client = net.connect(running.gateway.port, "127.0.0.1");
      client.write("GET /both HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(client, "data");
      await pause(50);
      client.destroy();
      await pause(100);
      await stop(running);
    },
  );

  test("ends no process where it is not what its type says: a promise of its end", async () => {
    const running = await start(
      takers["a promise of its end"]!,
      (_req, res) => void res.setHeader("content-type", "application/json").end("no JSON"),
      create,
    );
    await fetch(`${running.gateway.origin}/both`)
      .then((answer) => answer.text())
      .catch(ignore);
    await stop(running);
  });
});
