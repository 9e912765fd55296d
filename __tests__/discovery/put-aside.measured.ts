import { expect, test } from "@jest/globals";
import { createShareOfTime } from "../../src/asking/share-of-time.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { eventually, routeTo } from "./instances.ts";

/** Does nothing for so long, nor lets anything else be done: as a process that is put aside. */
function putAside(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test("who finds instances is asked again in time, though the process was put aside as it read what was told", async () => {
  const asked: number[] = [];
  const { close } = await startGateway(
    {
      Routes: [routeTo("orders")],
      GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table", PollingInterval: 20 } },
    },
    {
      discovery: {
        Table: async (_service, update) => {
          asked.push(performance.now());
          update([
            {
              get host() {
                if (asked.length === 1) putAside(200);
                return "127.0.0.1";
              },
              port: 1,
            },
          ]);
        },
      },
    },
  );
  await eventually(
    () => asked.length,
    (length) => length > 1,
  );
  await close();
  // Nine times as long as that were several seconds.
  expect(asked[1]! - asked[0]!).toBeLessThan(1_500);
});

test("the share of time that answers take is not used up while the process is put aside", async () => {
  const { spend, wait } = createShareOfTime();
  spend(() => putAside(1_000));
  const began = performance.now();
  await wait(new AbortController().signal);
  expect(performance.now() - began).toBeLessThan(1_000);
});
