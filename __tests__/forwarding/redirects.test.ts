import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, type DelegatingHandler, parseConfig, type RequestRecord } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** What an upstream is told to answer in the query: a status, where it leads to, and a body of so many bytes. */
async function startRedirecting(): Promise<Upstream> {
  return startUpstream((req, res) => {
    const url = new URL(req.url!, "http://upstream");
    const [status, to, size] = ["status", "to", "size"].map((name) => url.searchParams.get(name));
    req.on("end", () => {
      if (url.pathname.endsWith("/round")) return res.writeHead(302, { location: req.url }).end("round");
      if (url.pathname.endsWith("/late")) {
        return setTimeout(() => res.writeHead(302, { location: req.url }).end(), 60);
      }
      if (status === null) return res.end(`${req.method} ${req.url}`);
      return res.writeHead(Number(status), to === null ? {} : { location: to }).end("r".repeat(Number(size ?? 5)));
    });
    req.resume();
  });
}

type Sent = Readonly<{ method?: string; headers?: Record<string, string>; body?: string; query: string }>;

type Row = Sent & Readonly<{ reason: string; answer: readonly [status: number, body?: string]; arrivals?: number }>;

const to = (location: string, status = 302): string => `status=${status}&to=${encodeURIComponent(location)}`;

const rows: readonly Row[] = [
  { reason: "a path leads there", query: to("/next?q=1"), answer: [200, "GET /next?q=1"] },
  { reason: "so does one that is relative", query: to("next"), answer: [200, "GET /api/next"] },
  { reason: "and one that climbs", query: to("../next"), answer: [200, "GET /next"] },
  { reason: "a query alone keeps the path", query: to("?done"), answer: [200, "GET /api/x?done"] },
  { reason: "a fragment is for the client", query: to("/next#part"), answer: [200, "GET /next"] },
  { reason: "a POST becomes a GET", method: "POST", body: "b", query: to("/next"), answer: [200, "GET /next"] },
  { reason: "unless it is told to stay", method: "POST", query: to("/next", 307), answer: [200, "POST /next"] },
  { reason: "303 makes a GET of everything", method: "DELETE", query: to("/n", 303), answer: [200, "GET /n"] },
  { reason: "but of HEAD", method: "HEAD", query: to("/next", 303), answer: [200, ""] },
  { reason: "304 leads nowhere", query: to("/next", 304), answer: [304], arrivals: 1 },
  { reason: "305 is a proxy's", query: to("/next", 305), answer: [305], arrivals: 1 },
  { reason: "without a Location nothing is followed", query: "status=302", answer: [302], arrivals: 1 },
  { reason: "what is no URL is the client's to read", query: to("http://[bad"), answer: [302], arrivals: 1 },
  { reason: "another host is the client's to ask", query: to("http://127.0.0.2/"), answer: [302], arrivals: 1 },
  { reason: "so is another scheme", query: to("https://127.0.0.1/"), answer: [302], arrivals: 1 },
  { reason: "a path may not name a host", query: to("//127.0.0.2/next"), answer: [302], arrivals: 1 },
  { reason: "nor carry a user", query: to("http://user@HOST/next"), answer: [302], arrivals: 1 },
  { reason: "the same origin may be written out", query: to("http://HOST/next"), answer: [200, "GET /next"] },
  { reason: "no escape hides a dot segment", query: to("/a/%2e%2e%2fnext"), answer: [302], arrivals: 1 },
  { reason: "letters beyond ASCII are no URL", query: to("/n\u00e4chste"), answer: [302], arrivals: 1 },
  { reason: "a long page in between is not read", query: `${to("/next")}&size=300000`, answer: [200, "GET /next"] },
  {
    reason: "a body that has been sent is gone",
    method: "POST",
    body: "b",
    query: to("/next", 307),
    answer: [502],
    arrivals: 1,
  },
  {
    reason: "however it was framed",
    method: "PUT",
    headers: { "transfer-encoding": "chunked" },
    body: "b",
    query: to("/next"),
    answer: [502],
    arrivals: 1,
  },
];

const secrets = { authorization: "Bearer t", cookie: "c=1", "x-key": "k", "content-language": "en" };

describe.each(engines)("Redirects of the downstream are followed, with $name:", ({ create }) => {
  let upstream: Upstream;
  let running: RunningGateway;
  const records: RequestRecord[] = [];

  const keepBody: DelegatingHandler = async (outgoing, next) => {
    outgoing.body = Buffer.from("kept");
    return next();
  };

  beforeAll(async () => {
    upstream = await startRedirecting();
    const host = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const route = (path: string, more: object) => ({
      UpstreamPathTemplate: `${path}/{rest}`,
      DownstreamPathTemplate: "/api/{rest}",
      ...host,
      ...more,
    });
    const config = parseConfig(
      {
        Routes: [
          route("/follow", {}),
          route("/kept", { DelegatingHandlers: ["keepBody"] }),
          route("/not", { HttpHandlerOptions: { AllowAutoRedirect: false } }),
          route("/service", { ServiceName: "Shop/Orders", DownstreamPathTemplate: "/{rest}" }),
          route("/hurried", { Timeout: 0.2 }),
        ],
        GlobalConfiguration: {
          HttpHandlerOptions: { AllowAutoRedirect: true },
          ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1", Port: upstream.port },
        },
      },
      { logger: false },
    );
    const observers = [{ begin: () => ({ ended: (record: RequestRecord) => void records.push(record) }) }];
    const gateway = createGateway(config, { logger: false, engine: create(), namedHandlers: { keepBody }, observers });
    running = await serve(gateway, gateway);
  });
  afterAll(async () => {
    await running.close();
    await upstream.close();
  });

  async function send(path: string, { method = "GET", headers = {}, body, query }: Sent) {
    upstream.requests.length = 0;
    const sent = {
      port: running.port,
      method,
      path: `${path}?${query.replaceAll("HOST", `127.0.0.1%3A${upstream.port}`)}`,
    };
    const length = headers["transfer-encoding"] === undefined && body !== undefined ? { "content-length": "1" } : {};
    return request({ ...sent, headers: { ...headers, ...length }, ...(body === undefined ? {} : { body }) });
  }

  test.each(rows)("$reason", async ({ answer: [status, body], arrivals = 2, ...sent }) => {
    const answer = await send("/follow/x", sent);
    expect([answer.status, upstream.requests.length]).toEqual([status, arrivals]);
    if (body !== undefined) expect(answer.body.toString()).toBe(body);
  });

  test("what a client is known by goes along, but its Authorization", async () => {
    await send("/follow/x", { query: to("/next"), headers: secrets });
    const [first, second] = upstream.requests;
    expect(first!.headers).toMatchObject(secrets);
    expect(second!.headers).toMatchObject({ cookie: "c=1", "x-key": "k", host: first!.headers.host });
    expect(second!.headers).not.toHaveProperty("authorization");
  });

  test("what was said of the body goes with it", async () => {
    await send("/follow/x", { method: "POST", body: "b", query: to("/next"), headers: secrets });
    const { headers, body } = upstream.requests[1]!;
    const ofContent = Object.keys(headers).filter((name) => name.startsWith("content-"));
    expect([ofContent, body.length]).toEqual([[], 0]);
  });

  test("a body that a handler has kept is sent again", async () => {
    const answer = await send("/kept/x", { method: "POST", query: to("/next", 307) });
    expect(answer.status).toBe(200);
    expect(upstream.requests.map(({ method, body }) => `${method} ${String(body)}`)).toEqual([
      "POST kept",
      "POST kept",
    ]);
  });

  test("fifty times, and then the redirect is the answer", async () => {
    const answer = await send("/follow/round", { query: "" });
    expect([answer.status, upstream.requests.length]).toEqual([302, 51]);
  });

  test("all of them in the time of one answer", async () => {
    const answer = await send("/hurried/late", { query: "" });
    expect(answer.status).toBe(504);
  });

  test("a route may leave them to its clients", async () => {
    expect((await send("/not/x", { query: to("/next") })).status).toBe(302);
  });

  test.each([
    ["below its own name", "/Shop/Orders/next", 200],
    ["not to another service", "/Shop/Accounts/next", 302],
    ["not to one whose name goes on", "/Shop/OrdersArchive/next", 302],
    ["not to the root of the naming service", "/next", 302],
    ["not by its parameter", "/Shop/Orders/next?ServiceName=Shop/Accounts", 302],
    ["in no spelling of that", "/Shop/Orders/next?servicename=Shop/Accounts", 302],
    ["not by climbing", "/Shop/Orders/../Accounts/next", 302],
  ])("a service leads on %s", async (_name, location, status) => {
    expect((await send("/service/x", { query: to(location) })).status).toBe(status);
  });

  test("they are one request for those who watch, which knows where it went last", async () => {
    records.length = 0;
    await send("/follow/x", { query: to("/next") });
    expect(records.map(({ target, status }) => [target, status])).toEqual([[`${upstream.origin}/next`, 200]]);
  });
});
