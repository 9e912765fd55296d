import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createApp } from "../../src/cli/serve/create-app.ts";
import { accessLog, createGateway, type Logger, parseConfig } from "../../src/index.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeUntil } from "../helpers/processor-time.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

// As long as the target of a request can be.
const length = 15_500;
const mostTimes = 8;

// Names that may be secret in several spellings, behind signs at which only some servers part, before what may be hosts.
const hostile = [
  "yek%252540=@;",
  "yek%2540=ftp:@;",
  "otx%25E9p=%25E9@;",
  "sigx%2540=;",
  "abc%2540=#",
  "abc=%2540?",
  "abc%2540?",
  "a=b&%2540",
  "abc+=+%2540&",
  'n%252522:"1,',
  "a%2540=\\u0025&",
  "a[b]%2540=[&",
  "://a:1%2540@",
  "%25",
  '":={',
  "a%2540=%2540;",
  "a%25=@;",
  "&%u0041%25E9%2525E9=@;",
  "&keynote%2525=@;",
  "&sidx%2525%25=@",
  "sigx%25u0041=@;",
  "%5Cu0041%25=@;",
  "=.;cookiesigx@otpx':a\u00e9",
  "%5B=@#otpx[\\sigxsig%u00e9%253D",
  "sigx%7e%253D\u00e9=%2540%C3%A9",
  "http:\\monkey%7e=%25://%u00e9@,%u0041%253D]",
  '://\u00e9%E9://"://://[',
  "otpx%2522=\u00e9[",
  "tokenize+==;",
  "a[b]=#+&.",
  "&=",
  "&",
  "\\u0041%25=;",
  "%252525",
  "%5C%22:{",
  "SIGx%u0041%3D%2526",
  `${"design".repeat(20)}%2525=&`,
];

const ignore = (): void => undefined;
const quiet: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

let upstream: Upstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => void req.resume().on("end", () => res.end("hello")));
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const Routes = [
    {
      UpstreamPathTemplate: "/{rest}",
      UpstreamHttpMethod: ["Get"],
      DownstreamPathTemplate: "/{rest}",
      DownstreamHostAndPorts,
    },
  ];
  const config = parseConfig({ Routes }, { logger: false });
  const handler = createGateway(config, { logger: false, observers: [accessLog({ info: () => undefined })] });
  const [settings, serverState] = [{ health: undefined, log: "requests" }, { isDraining: false }] as const;
  const pages = { inspect: undefined, documents: undefined };
  gateway = await serve(createApp({ settings, gateway: handler, ...pages, serverState, logger: quiet }).app, handler);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

let requests = 0;

/** CPU time of a request for such a URL, of the service and of the client included; no two ask for the same. */
function costOf(method: string, before: string, filling: string): Promise<number> {
  requests += 1;
  const path = `${before}${filling.repeat(length / filling.length)}@${requests}`;
  return processorTimeUntil(() => request({ port: gateway.port, method, path }));
}

async function expectUsualCost(method: string, before: string, filling: string): Promise<void> {
  const suspected = (): Promise<number> => costOf(method, before, filling);
  const times = await timesUsual({ suspected, usual: () => costOf(method, before, "a"), most: mostTimes });
  expect(times).toBeLessThan(mostTimes);
}

describe.each([
  ["that a route takes", "GET"],
  ["that no route takes", "DELETE"],
])("a request %s", (_which, method) => {
  test.each(hostile)("whose query is filled with %j costs no more than another one of its length", (filling) =>
    // Behind what may be a host, all would be masked at the first sign at which some servers part.
    expectUsualCost(method, /[;?#]/.test(filling) ? "/a?" : "/a?u=http://", filling),
  );

  test.each(hostile.filter((filling) => !/[?#]/.test(filling)))(
    "whose path is filled with %j costs no more than another one of its length",
    (filling) => expectUsualCost(method, "/a", filling),
  );
});
