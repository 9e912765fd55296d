import { expect, test } from "@jest/globals";
import { runSoak } from "../../bench/soak/run-soak.ts";
import { engineNames } from "./create-gateway.ts";

// The short form; `npm run soak` sends 500,000.
test.concurrent.each(engineNames)("a load of everything at once leaves nothing behind: %s", async (engine) => {
  const size = { requests: 400, connections: 20, seed: 6, reloadEvery: 300, timeout: 3 };
  const { verdicts, summary } = await runSoak({ engine, ...size, print: () => undefined });
  expect(verdicts).toHaveLength(6);
  expect(summary).toMatch(
    /0 without the right answer, .*, 0 requests with too many or too few, .*, all promises kept$/,
  );
  expect(verdicts.filter(({ broken }) => broken.length > 0)).toEqual([]);
});
