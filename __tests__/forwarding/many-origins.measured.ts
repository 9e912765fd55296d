import { afterAll, expect, test } from "@jest/globals";
import { undiciEngine } from "../../src/undici.ts";
import { collectGarbage } from "../helpers/collect-garbage.ts";

const engine = undiciEngine();
afterAll(() => engine.close());

const connection = { connectTimeout: 5_000, tls: undefined };

test("the undici engine keeps nothing of an origin without connections, however many there are", async () => {
  const heapAfter = async (origins: number): Promise<number> => {
    for (let count = 0; count < origins; count += 1) {
      // One address in as many spellings: nobody listens at its port.
      const origin = `http://${"0".repeat(20_000 + (spellings += 1))}177.0.0.1:1`;
      const outgoing = { method: "GET", origin, path: "/", headers: {}, body: null };
      await expect(engine.forward(outgoing, { connection, onCancel: () => undefined })).rejects.toThrow();
    }
    await new Promise(setImmediate);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  let spellings = 0;
  const before = await heapAfter(50);
  expect((await heapAfter(400)) - before).toBeLessThan(4_000_000);
});
