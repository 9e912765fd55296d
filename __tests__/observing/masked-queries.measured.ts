import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { accessLog } from "../../src/index.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeUntil } from "../helpers/processor-time.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const length = 8_000;
const mostTimes = 8;
/** What docs/security.md promises of any place: a path is masked as it came and as it was sent. */
const mostTimesOfPath = 20;

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
];

let upstream: Upstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => void req.resume().on("end", () => res.end("hello")));
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const Routes = [{ UpstreamPathTemplate: "/{rest}", DownstreamPathTemplate: "/{rest}", DownstreamHostAndPorts }];
  gateway = await startGateway({ Routes }, { observers: [accessLog({ info: () => undefined })] });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

let requests = 0;

/** CPU time of a request for such a URL, of the service and of the client included; no two ask for the same. */
function costOf(before: string, filling: string): Promise<number> {
  requests += 1;
  const path = `${before}${filling.repeat(length / filling.length)}@${requests}`;
  return processorTimeUntil(() => request({ port: gateway.port, path }));
}

async function expectUsualCost(before: string, filling: string, most: number): Promise<void> {
  const suspected = (): Promise<number> => costOf(before, filling);
  const times = await timesUsual({ suspected, usual: () => costOf(before, "a"), most });
  expect(times).toBeLessThan(most);
}

test.each(hostile)("a request whose query is filled with %j costs no more than another one of its length", (filling) =>
  // Behind what may be a host, all would be masked at the first sign at which some servers part.
  expectUsualCost(/[;?#]/.test(filling) ? "/a?" : "/a?u=http://", filling, mostTimes),
);

test.each(hostile.filter((filling) => !/[?#]/.test(filling)))(
  "a request whose path is filled with %j costs no more than another one of its length",
  (filling) => expectUsualCost("/a", filling, mostTimesOfPath),
);
