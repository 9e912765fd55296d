import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

test("the example of docs/claims.md does what the page says", async () => {
  const page = await readFile(new URL("../../docs/claims.md", import.meta.url), "utf8");
  const written = /```json\n([^]*?)```/.exec(page)![1]!;
  const upstream = await startUpstream();
  const config = parseConfig(written.replace("9101", String(upstream.port)).replace("localhost", "127.0.0.1"), {
    logger: false,
  });
  const gateway = createGateway(config, { logger: false });
  const { port, close } = await serve(gateway, gateway);
  const headers = { "x-api-key": "test", "x-user": "root" };
  const own = await request({ port, path: "/tenants/acme/orders/7", headers });
  const others = await request({ port, path: "/tenants/other/orders/7", headers });
  await close();
  await upstream.close();
  expect(own.body.toString()).toBe("GET /acme/orders/7?by=acme&plan=gold");
  expect(upstream.requests.map((arrived) => arrived.headers["x-user"])).toEqual(["acme"]);
  expect([others.status, JSON.parse(others.body.toString())]).toEqual([
    403,
    expect.objectContaining({ code: "claim-refused" }),
  ]);
});
