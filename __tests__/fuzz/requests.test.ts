import net from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { startConformanceGateway } from "../conformance/conformance-gateway.ts";
import { type StrictUpstream, startStrictUpstream } from "../conformance/strict-upstream.ts";
import { talk } from "../conformance/talk.ts";
import { engines } from "../helpers/engines.ts";
import type { RunningGateway } from "../helpers/start-gateway.ts";
import { watchProcess } from "../helpers/watch-process.ts";
import { arbitraryAnswerBytes, arbitraryRequestBytes, arbitraryTarget } from "./arbitrary-bytes.ts";
import { check, longest } from "./bounds.ts";

const sentinel = "GET /api/sentinel HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n\r\n";

describe.each(engines)("whatever comes in: $name", ({ create }) => {
  const disturbances = watchProcess();
  let upstream: StrictUpstream;
  let running: RunningGateway;

  beforeAll(async () => {
    upstream = await startStrictUpstream();
    running = await startConformanceGateway(create(), upstream.port);
  });
  afterAll(async () => {
    await running.close();
    await upstream.close();
    disturbances.stop();
  });
  beforeEach(() => upstream.answerWith(undefined));

  async function expectAlive(): Promise<void> {
    const { answers } = await talk(running.port, sentinel, 1);
    expect(answers[0]).toMatchObject({ line: "HTTP/1.1 200 OK", body: "GET /sentinel" });
    expect(upstream.violations).toEqual([]);
    expect(disturbances.take()).toEqual([]);
    upstream.arrived.length = 0;
  }

  test(
    "bytes of clients: what reaches the upstream is strictly HTTP, and the gateway lives on",
    async () => {
      await check(
        fc.asyncProperty(arbitraryRequestBytes, async (bytes) => {
          await sendAndHangUp(running.port, bytes);
          await expectAlive();
        }),
        50,
      );
    },
    longest,
  );

  test(
    "targets: what is forwarded stays where the route leads",
    async () => {
      await check(
        fc.asyncProperty(arbitraryTarget, async (target) => {
          upstream.arrived.length = 0;
          const { answers } = await talk(
            running.port,
            `GET ${target} HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n\r\n`,
            1,
          );
          if (answers[0]?.line === "HTTP/1.1 200 OK") expectContained(target, upstream.arrived[0]!.line);
          else expect(upstream.arrived).toEqual([]);
          await expectAlive();
        }),
        100,
      );
    },
    longest,
  );

  test(
    "bytes of upstreams: the client gets a strict answer, an error or a broken connection",
    async () => {
      await check(
        fc.asyncProperty(arbitraryAnswerBytes, async (bytes) => {
          upstream.answerWith((socket) => socket.end(bytes, "latin1"));
          const { answers } = await talk(
            running.port,
            "POST /api/x HTTP/1.1\r\nHost: gw.example\r\nConnection: close\r\n\r\n",
            1,
          );
          if (answers.length > 0) expect(answers[0]!.line).toMatch(/^HTTP\/1\.1 [1-9]\d\d/);
          await expectAlive();
        }),
        50,
      );
    },
    longest,
  );
});

/** Closes as soon as an answer comes, or when nothing more can. */
function sendAndHangUp(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
    socket.on("data", () => socket.destroy());
    socket.write(bytes, "latin1", () => setImmediate(() => socket.end()));
  });
}

/** What an upstream that decodes and normalises would read must still be what the route says. */
function expectContained(target: string, line: string): void {
  const [, arrived = ""] = line.split(" ");
  expect(arrived).toMatch(/^\/[!-~]*$/);
  const [path = "", query = ""] = arrived.split(/\?(.*)/s);
  const read = path.replaceAll(/%2f|%5c|\\/gi, "/").replaceAll(/;[^/]*/g, "");
  const { pathname, searchParams } = new URL(`http://upstream${read}?${query}`);
  // A dot segment would take at least one segment away.
  expect(pathname.split("/")).toHaveLength(read.split("/").length);
  if (target.startsWith("/own/")) expect(searchParams.getAll("tenant")).toEqual(["fixed"]);
  if (target.startsWith("/shop/")) {
    expect(pathname).toMatch(/^\/Shop\/Orders(\/|$)/);
    expect(searchParams.has("ServiceName")).toBe(false);
  }
  if (target.startsWith("/deep/")) expect(pathname).toMatch(/^\/Shop\/Orders\/[^/$+|~]*(\/|$)/);
}
