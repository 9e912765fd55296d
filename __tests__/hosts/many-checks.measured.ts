import { expect, test } from "@jest/globals";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { addresses, cleanups } from "./checked-hosts.ts";

test("hosts that come into a list in thousands are checked one after the other", async () => {
  const instances = addresses(10_000).map((host) => ({ host, port: 1 }));
  const began: number[] = [];
  const engine = engines[0]!.create();
  const forward: Engine["forward"] = (outgoing, settings) => {
    began.push(performance.now());
    return engine.forward(outgoing, settings);
  };
  const HealthCheck = { Path: "/health" };
  const { close } = await startGateway(
    {
      Routes: [{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", ServiceName: "crowd", HealthCheck }],
      GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table" } },
    },
    { engine: { ...engine, forward }, discovery: { Table: async (_service, update) => update(instances) } },
  );
  cleanups.push(close);
  while (began.length < 1_000) await new Promise((resolve) => setTimeout(resolve, 10));
  // The first ones at once, the others in ten seconds.
  expect(began[999]! - began[0]!).toBeGreaterThan(500);
});

test("of routes that check the hosts of a service in the same way, all but the first are passed over", async () => {
  const few = await untilLastWay(2);
  expect(await untilLastWay(200)).toBeLessThan(few * 5);
});

/** How long the way to check of the last route is looked for behind that of so many others, which is the same for all. */
async function untilLastWay(count: number): Promise<number> {
  const instances = addresses(10_000).map((host) => ({ host, port: 1 }));
  const began = new Map<string, number>();
  const forward: Engine["forward"] = ({ path }) => {
    if (!began.has(path)) began.set(path, performance.now());
    return Promise.reject(new Error("Nobody is there."));
  };
  const paths = [...new Array<string>(count).fill("/health"), "/last"];
  const { close } = await startGateway(
    {
      Routes: paths.map((Path, index) => ({
        UpstreamPathTemplate: `/${index}`,
        DownstreamPathTemplate: "/",
        ServiceName: "crowd",
        HealthCheck: { Path },
      })),
      GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table" } },
    },
    {
      engine: { ...engines[0]!.create(), forward },
      discovery: { Table: async (_service, update) => update(instances) },
    },
  );
  while (!began.has("/last")) await new Promise((resolve) => setTimeout(resolve, 5));
  await close();
  return began.get("/last")! - began.get("/health")!;
}
