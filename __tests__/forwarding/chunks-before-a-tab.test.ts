import { describe, expect, test } from "@jest/globals";
import { setScene } from "../faults/scene.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";

const chunks = "3\r\nabc\r\n0\r\n\r\n";

/** What a client gets of an answer whose connection ends behind it. */
async function ask(engine: (typeof engines)[number], lines: readonly string[], method: string): Promise<unknown> {
  const scene = await setScene(engine.create(), {
    serveOne: (wire) => {
      wire.socket.once("data", () => wire.socket.end(["HTTP/1.1 200 OK", ...lines, "", chunks].join("\r\n")));
    },
  });
  const got = await request({ port: scene.running.port, path: "/x", method }).then(
    ({ status, body }) => [status, status === 200 ? body.toString() : undefined],
    () => "cut",
  );
  await scene.leave();
  return got;
}

describe.each(engines)("$name", (engine) => {
  describe.each(["GET", "POST"])("%s", (method) => {
    test.each([
      ["a tab", ["Transfer-Encoding: chunked\t"]],
      ["a blank and a tab", ["Transfer-Encoding:\tchunked \t"]],
      ["a tab, of a connection that is to be closed", ["Connection: close", "Transfer-Encoding: chunked\t"]],
    ])("chunks that are announced with %s behind the word are no body", async (_what, lines) => {
      expect(await ask(engine, lines, method)).toEqual(engine.name === "undici" ? [502, undefined] : "cut");
    });

    test.each([
      ["a tab before the word", ["Transfer-Encoding:\tchunked "]],
      ["a connection that is to be closed", ["Connection: close", "Transfer-Encoding: chunked"]],
    ])("chunks that are announced with %s are a body", async (_what, lines) => {
      expect(await ask(engine, lines, method)).toEqual([200, "abc"]);
    });
  });
});
