import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { matchRequest } from "../../src/routing/match-request.ts";
import { createRouteIndex } from "../../src/routing/index/route-index.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { defineRoutes } from "./linear-scan.ts";

const index = createRouteIndex(
  defineRoutes([
    { path: "/shop/{x}", host: "shop.example" },
    { path: "/orders/{x}", query: "q={q}", headers: { "X-Kind": "{k}" } },
    { path: "/orders/{x}", methods: ["GET", "OPTIONS"] },
  ]),
);

/** What a request of these lines matches, and whether it was changed. */
async function send(...lines: string[]): Promise<unknown> {
  const server = createServer((req, res) => {
    const before = snapshot(req);
    const found = matchRequest(index, req);
    expect(snapshot(req)).toBe(before);
    res.end(JSON.stringify(found === undefined ? "unmatched" : [found.match.value, found.match.placeholders]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await sendBytes(port, [...lines, "Connection: close", "", ""].join("\r\n"));
    return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
  } finally {
    server.close();
  }
}

function snapshot({ url, method, headers, rawHeaders }: IncomingMessage): string {
  return JSON.stringify({ url, method, headers, rawHeaders });
}

describe("a request from the wire", () => {
  test.each<[lines: string[], found: unknown, reason: string]>([
    [["GET /orders/1/2 HTTP/1.1", "Host: h"], [2, { x: "1/2" }], "is found by its path"],
    [["GET /orders/1?q=%41 HTTP/1.1", "Host: h", "x-kind: K"], [1, { x: "1", q: "%41", k: "K" }], "query and headers"],
    [["GET /shop/1 HTTP/1.1", "Host: shop.example:8080"], [0, { x: "1" }], "and host"],
    [["GET http://shop.example/shop/1 HTTP/1.1", "Host: shop.example"], [0, { x: "1" }], "in absolute-form"],
    [["GET /shop/1 HTTP/1.1", "Host: h"], "unmatched", "or not at all"],
    [["POST /orders/1 HTTP/1.1", "Host: h", "Content-Length: 0"], "unmatched", "also where only the method differs"],
    [["OPTIONS * HTTP/1.1", "Host: h"], "unmatched", "asterisk-form names no path"],
    [["GET //orders/1 HTTP/1.1", "Host: h"], "unmatched", "two slashes begin a path"],
    [["GET /other/../%zz#? HTTP/1.1", "Host: a", "Host: b c"], "unmatched", "an unmatched request is not judged"],
    [["GET /orders/.. HTTP/1.1", "Host: h"], [2, { x: ".." }], "a matched one is judged afterwards"],
  ])("%j: %j (%s)", async (lines, found) => {
    expect(await send(...lines)).toEqual(found);
  });
});
