import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { tableGateway } from "./table-gateway.ts";

test("a reload that drops a service keeps nothing of the configurations before in memory", async () => {
  const { gateway, configOf } = tableGateway();
  const before = await reloadTimes(4);
  await nextTurn();
  collectGarbage();
  expect(before.filter((config) => config.deref() !== undefined)).toEqual([]);

  async function reloadTimes(count: number): Promise<readonly WeakRef<object>[]> {
    const reloaded: WeakRef<object>[] = [];
    for (let index = 0; index <= count; index += 1) {
      const config = configOf(`service-${index}`);
      await gateway.reload(config);
      reloaded.push(new WeakRef(config));
    }
    return reloaded.slice(0, -1);
  }
});
