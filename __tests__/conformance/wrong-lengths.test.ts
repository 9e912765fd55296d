import { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, Engine } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request, setScene } from "../faults/scene.ts";

/** An engine of somebody else's, whose answers say 5 bytes. */
const lying = (...pieces: readonly string[]): Engine => ({
  forward: ({ path }) =>
    Promise.resolve({
      status: 200,
      statusText: "OK",
      rawHeaders: ["Content-Length", path === "/next" ? "4" : "5"],
      body: Readable.from((path === "/next" ? ["next"] : pieces).map((piece) => Buffer.from(piece))),
      trailers: () => [],
    }),
  close: () => Promise.resolve(),
});

// No UTF-8: read as such, it becomes longer.
const latin = Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nh\xe4llo", "latin1");

/** Asked twice at once, the client must not read anything as the second answer but that. */
async function talk(engine: Engine, handler?: DelegatingHandler): Promise<string> {
  const scene = await setScene(engine, {
    serveOne: ({ socket, write }) =>
      socket.on("data", (bytes: string) => bytes.match(/\r\n\r\n/g)?.forEach(() => write(latin))),
    ...(handler && { gateway: { handlers: [handler] } }),
  });
  const wire = scene.client();
  wire.write(request("GET", "/x") + request("GET", "/next", "Connection: close"));
  await wire.ended;
  await scene.leave();
  return wire.received();
}

describe("a body that is not as long as its head says ends with its connection", () => {
  test.each([
    ["shorter", ["hel"]],
    ["empty", []],
    ["longer in its first piece", ["hello HTTP/1.1 200 OK\r\n\r\n"]],
    ["longer in a later piece", ["hel", "lo", "HTTP/1.1 200 OK\r\n\r\n"]],
  ])("an engine gives one that is %s", async (_how, pieces) => {
    const received = await talk(lying(...pieces));
    expect(received.split("\r\n\r\n")[1] ?? "").toMatch(/^(?:hel(?:lo)?)?$/);
    expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(2);
    expect(received).not.toContain("next");
  });

  test("an engine gives one that is as long", async () => {
    const received = await talk(lying("hel", "lo"));
    expect(received).toMatch(/hello.*\r\n\r\nnext$/s);
  });
});

describe.each(engines)("$name: of a body that was looked at, no piece is missing unnoticed", ({ create }) => {
  const rows: readonly (readonly [string, (body: Readable) => void])[] = [
    ["reads some of it", (body) => void body.read(2)],
    ["decodes it as other text", (body) => void body.setEncoding("utf8")],
  ];

  test.each(rows)("a handler %s", async (_name, look) => {
    const received = await talk(create(), async (_outgoing, next, { req }) => {
      const answer = await next();
      if (req.url === "/x") {
        const { body } = answer;
        await new Promise((resolve) => body.once("readable", resolve));
        look(body);
      }
      return answer;
    });
    expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(2);
  });
});
