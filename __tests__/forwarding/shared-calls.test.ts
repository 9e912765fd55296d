import net from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import type { ServerResponse } from "node:http";
import type { DelegatingHandler, RequestObserver, UpstreamResponse } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const passOn: DelegatingHandler = (_outgoing, next) => next();

test.each(engines.flatMap(({ name, create }) => [[], [passOn]].map((outer) => ({ name, create, outer }))))(
  "a call that a handler shares fails as the upstream's with the client for whom it was made, $name, $outer.length",
  async ({ create, outer }) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<ServerResponse>();
    const service = await startUpstream((_req, res) => arrive(res));
    const first = new net.Socket().on("error", () => undefined);
    let shared: Promise<UpstreamResponse> | undefined;
    const codes: unknown[] = [];
    const share: DelegatingHandler = (_outgoing, next) => {
      if (shared === undefined) return (shared = next());
      // The second client waits now.
      first.destroy();
      return shared;
    };
    const target = { Host: "127.0.0.1", Port: service.port };
    const Routes = [{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] }];
    const observer: RequestObserver = { begin: () => ({ ended: ({ error }) => void codes.push(error) }) };
    const { port, close } = await startGateway(
      { Routes },
      { handlers: [...outer, share], engine: create(), observers: [observer] },
    );
    cleanups.push(service.close, close);
    first.connect(port, "127.0.0.1");
    first.write("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
    await arrived;
    expect([(await request({ port, path: "/x" })).status, codes]).toEqual([502, ["client-gone", "upstream-reset"]]);
  },
);
