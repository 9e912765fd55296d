import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { loadingPacked } from "../helpers/load-packed.ts";

const folder = new URL("imitation/", import.meta.url);

// The default engine hands over an imitation, with just the members that are read. A version of http-proxy-middleware
// that reads another one has to fail here, and not in somebody's gateway.
const readOfRequest = ["agent", "answered", "failed", "headers", "httpVersionMajor", "method", "on", "path", "pipe"];
const readOfResponse = ["finished", "headersSent", "on"];

test("http-proxy-middleware reads nothing of a request or a response that the default engine does not imitate", async () => {
  const program = new URL("send-all-kinds.ts", folder).pathname;
  const words = [...loadingPacked, "--import", new URL("watch-reads.mjs", folder).href, program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual(
    [
      ...[...readOfRequest, "socket", "started", "target", "url"].map((name) => `req.${name}`),
      // The engine itself puts the path there, so that http-proxy-middleware does not parse it as a URL before.
      "set req.url",
      // Whoever proxies WebSockets by it needs the server: the default engine does not, and leaves it out.
      ...["req.socket.writable", "req.socket.server"],
      ...readOfResponse.map((name) => `res.${name}`),
    ].sort(),
  );
});
