import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Row = readonly [asked: string, arrived: string];

// Each template upstream, what is asked downstream, and the requests that go through it.
const routes: readonly (readonly [string, string, readonly Row[]])[] = [
  [
    "/both?name={name}&{everything}",
    "/api?n={name}&{everything}",
    [
      ["/both?name=tea&b=2&a=1", "/api?n=tea&b=2&a=1"],
      ["/both?b=%20x&name=tea&flag", "/api?n=tea&b=%20x&flag"],
      ["/both?name=tea", "/api?n=tea"],
      ["/both?name=tea&name=milk&c=3", "/api?n=tea&c=3"],
      ["/both?name=tea&n=forged&N=forged&n[]=x&c=3", "/api?n=tea&c=3"],
      ["/both?n%61me=tea&c=3", "/api?n=tea&c=3"],
    ],
  ],
  [
    "/same?name={name}&{rest}",
    "/api?{rest}",
    [
      ["/same?name=tea&b=2", "/api?b=2"],
      ["/same?name=tea", "/api"],
    ],
  ],
  [
    "/value?{rest}",
    "/api?q={rest}",
    [
      ["/value?a=1&b=2", "/api?q=a=1%26b=2"],
      ["/value?a=1;q=2", "/api?q=a=1%3Bq=2"],
      ["/value?a=%26%20+", "/api?q=a=%26%20+"],
      ["/value", "/api?q="],
    ],
  ],
  ["/fixed?kind=x&{rest}", "/api?v=1&{rest}", [["/fixed?v=2&kind=x&y=3", "/api?v=1&y=3"]]],
];

describe.each(engines)("What is left of a query, through $name", ({ create }) => {
  let upstream: Upstream;
  let running: RunningGateway;

  beforeAll(async () => {
    upstream = await startUpstream();
    const list = routes.map(([UpstreamPathTemplate, DownstreamPathTemplate]) => {
      const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
      return { UpstreamPathTemplate, DownstreamPathTemplate, DownstreamHostAndPorts };
    });
    running = await startGateway({ Routes: list }, { engine: create() });
  });

  afterAll(async () => {
    await running.close();
    await upstream.close();
  });

  test.each(routes.flatMap(([, , rows]) => rows))("%s arrives as %s", async (asked, arrived) => {
    const answer = await request({ port: running.port, path: asked });
    expect(answer.body.toString()).toBe(`GET ${arrived}`);
  });

  test("lacks what the template lists: there is no such route", async () => {
    expect((await request({ port: running.port, path: "/both?b=2" })).status).toBe(404);
  });
});
