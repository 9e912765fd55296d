import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startWaymark } from "../cli/run-waymark.ts";
import { routeTo, startConsul, startTwoInstances } from "./instances.ts";

const { a, closing } = await startTwoInstances();

const megabytes = 128;
// With a breaker for each, 600,000 hosts of routes are more than there is room for, however small they are.
const routes = 60;
const elsewhere = Array.from({ length: 9_999 }, (_, index) => ({
  address: `10.1.${index >> 8}.${index & 255}`,
  port: 80,
}));

test(`${routes} routes to a service of ten thousand instances do with ${megabytes} MB, one after the other`, async () => {
  const consul = await startConsul({ orders: [a, ...elsewhere] });
  const folder = await mkdtemp(join(tmpdir(), "waymark-routes-"));
  const file = join(folder, "gateway.json");
  const paths = Array.from({ length: routes }, (_, index) => `/orders-${index}`);
  await writeFile(
    file,
    JSON.stringify({
      Routes: paths.map((path) => ({ ...routeTo("orders"), UpstreamPathTemplate: `${path}/{everything}` })),
      GlobalConfiguration: {
        ServiceDiscoveryProvider: consul.provider,
        QoSOptions: { MinimumThroughput: 5, FailureRatio: 0.5 },
      },
    }),
  );
  const env = { NODE_OPTIONS: `--max-old-space-size=${megabytes}` };
  const gateway = startWaymark(["serve", file, "--port", "0"], { cwd: folder, env });
  closing.push(async () => {
    gateway.signal("SIGTERM");
    await gateway.ended;
    await consul.close();
    await rm(folder, { recursive: true });
  });
  const { port } = await gateway.line(({ msg }) => msg.startsWith("Listening"));
  for (const path of [...paths, paths[0]!]) {
    const answer = await fetch(`http://127.0.0.1:${String(port)}${path}/1`);
    expect(await answer.text()).toBe("a /1");
  }
}, 120_000);
