import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { accessLog } from "../../src/index.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeUntil } from "../helpers/processor-time.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const length = 8_000;
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

/** CPU time of a request with such a query, of the service and of the client included. */
function costOf(filling: string): Promise<number> {
  const query = filling.repeat(length / filling.length);
  return processorTimeUntil(() => request({ port: gateway.port, path: `/a?u=http://${query}@` }));
}

test.each(hostile)(
  "a request whose query is filled with %j costs no more than another one of its length",
  async (filling) => {
    const times = await timesUsual({ suspected: () => costOf(filling), usual: () => costOf("a"), most: mostTimes });
    expect(times).toBeLessThan(mostTimes);
  },
);
