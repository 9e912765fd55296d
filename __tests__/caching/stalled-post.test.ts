import net from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** Sends a text, and gives what comes until there is a whole head; then the client leaves. */
function converse(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1");
    let got = "";
    socket.on("data", (bytes: Buffer) => {
      got += bytes.toString("latin1");
      if (got.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", reject).on("close", () => resolve(got));
    socket.write(text);
  });
}

describe.each(engines)("a POST whose body tells answers apart, with $name", ({ create }) => {
  test.each([
    ["of a told length", "Content-Length: 10\r\n\r\nabc"],
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
    ["that has not begun", "Content-Length: 10\r\n\r\n"],
  ])("and stands still is refused, and its place is free again: one %s", async (_how, rest) => {
    const CacheOptions = { TtlSeconds: 60, EnableContentHashing: true };
    const Limits = { Upload: 0.05, Concurrent: 1 };
    route = await startCachedRoute({}, { route: { CacheOptions, Limits }, options: { engine: create() } });
    const got = await converse(route.gateway.port, `POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`);
    expect(got).toMatch(/^HTTP\/1\.1 408 /);
    expect((await route.ask({ method: "POST", body: "abc" })).body).toBe("answer 1");
  });
});
