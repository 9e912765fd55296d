import type { RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import express from "express";
import type { BrowserContext } from "playwright-core";
import type { Gateway } from "../../src/index.ts";
import { createProfile, describeInBrowser } from "../helpers/browser.ts";
import { closeAll, startEcho, startLive } from "./live.ts";

const withPage = (gateway: Gateway): RequestListener =>
  express()
    .get("/", (_req, res) => void res.send("<!doctype html><title>a page</title>"))
    .use(gateway);

describeInBrowser("a page in Chromium", () => {
  let profile: BrowserContext;
  beforeAll(async () => {
    profile = await createProfile();
  });
  afterAll(() => profile.close());
  afterEach(closeAll);

  /** Opens a page of the gateway's own server, and runs a script in it. */
  async function runInPage(port: number, script: string): Promise<unknown> {
    const page = await profile.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const result: unknown = await page.evaluate(script);
    await page.close();
    return result;
  }

  test("talks text and binary through the gateway, compressed, and closes with its code", async () => {
    const echo = await startEcho({ sockets: { perMessageDeflate: { threshold: 0 }, handleProtocols: () => "chat" } });
    const { port } = await startLive(echo.port, { app: withPage });
    const result = await runInPage(
      port,
      `new Promise((resolve, reject) => {
        const socket = new WebSocket("/live/main", ["other", "chat"]);
        const heard = [];
        socket.binaryType = "arraybuffer";
        socket.onopen = () => { socket.send("x".repeat(100000)); socket.send(new Uint8Array([0, 255])); };
        socket.onmessage = ({ data }) => {
          heard.push(typeof data === "string" ? data.length : [...new Uint8Array(data)]);
          if (heard.length === 2) socket.close(4321, "done");
        };
        socket.onclose = ({ code }) => resolve({ heard, code, protocol: socket.protocol, extensions: socket.extensions });
        socket.onerror = reject;
      })`,
    );
    expect(result).toEqual({
      heard: [100_000, [0, 255]],
      code: 4321,
      protocol: "chat",
      extensions: expect.stringContaining("permessage-deflate"),
    });
    expect(echo.arrivals[0]!.headers.origin).toBe(`http://127.0.0.1:${port}`);
  });

  test("of an origin that is not allowed gets no WebSocket", async () => {
    const echo = await startEcho();
    const route = { AllowedOrigins: ["https://shop.example"] };
    const { port } = await startLive(echo.port, { app: withPage, route });
    const code = await runInPage(
      port,
      `new Promise((resolve) => (new WebSocket("/live/main").onclose = ({ code }) => resolve(code)))`,
    );
    expect([code, echo.arrivals]).toEqual([1006, []]);
  });
});
