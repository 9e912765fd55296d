import zlib from "node:zlib";
import { expect, test } from "@jest/globals";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const aggregates = 12;

/** Megabytes of objects that somebody holds. */
function held(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1_048_576;
}

test("first answers of 1 MiB, of many aggregates at once, take no more memory than two of them", async () => {
  const list = zlib.gzipSync(JSON.stringify(Array(95_000).fill({ a: [[]] })));
  const upstream = await startUpstream((_req, res) => {
    res.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(list);
  });
  const gateway = await startGateway({
    Routes: ["/a/{x}", "/b/{product}"].map((path) => ({
      Key: path[1],
      UpstreamPathTemplate: path,
      DownstreamPathTemplate: path,
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    })),
    Aggregates: Array.from({ length: aggregates }, (_, index) => ({
      UpstreamPathTemplate: `/all${index}/{x}`,
      RouteKeys: ["a", "b"],
      RouteKeysConfig: [{ RouteKey: "b", JsonPath: "$..product", Parameter: "product" }],
    })),
  });
  const before = held();
  let [most, isDone] = [0, false];
  const asked = Array.from({ length: aggregates }, async (_, index) => {
    const answer = await fetch(`${gateway.origin}/all${index}/1`);
    await answer.arrayBuffer();
    return answer.status;
  });
  const answered = Promise.all(asked).finally(() => (isDone = true));
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, held() - before);
  }
  const statuses = await answered;
  await gateway.close();
  await upstream.close();
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  expect(most).toBeLessThan(100);
}, 120_000);
