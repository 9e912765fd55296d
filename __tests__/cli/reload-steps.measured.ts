import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type Measured, startMeasured } from "../../bench/reload/measured-service.ts";
import { isRefusal, isReload } from "../../bench/reload/served.ts";
import { leastCost } from "../helpers/compare-costs.ts";
import { machineSlowness } from "../helpers/machine-slowness.ts";
import { routeTo } from "../reload/scene.ts";

// In one piece, handing a text of this length to two workers takes about ninety milliseconds. The bench measures every
// combination of processes, causes and faults, with more routes.
const routes = 1_500;
const mostMilliseconds = 60 * machineSlowness();
const notes = "what somebody wrote about this route ".repeat(120);

function write(version: number, more: object = {}): string {
  const Metadata = { version, notes };
  const list = Array.from({ length: routes }, (_, at) => routeTo(9_000, `/service-${at}/{id}`, { Metadata, ...more }));
  return JSON.stringify({ Routes: list }, null, 2);
}

test.each([
  { what: "SIGHUP, in one process", workers: 1, words: [] },
  { what: "SIGHUP, in two workers", workers: 2, words: [] },
  { what: "a watched file, in two workers", workers: 2, words: ["--watch"] },
])(
  `no step of a reload of ${routes} routes is long: $what`,
  async ({ workers, words }) => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-steps-"));
    const file = join(folder, "gateway.json");
    await writeFile(file, write(0));
    const service = await startMeasured(folder, workers, words);
    const isSignalled = words.length === 0;

    async function reload(text: string, isRefused: boolean): Promise<Measured> {
      if (isSignalled) await writeFile(file, text);
      const cause = isSignalled ? () => service.signal("SIGHUP") : () => writeFile(file, text);
      return service.measure(cause, isRefused ? isRefusal : isReload, isRefused ? 1 : workers);
    }

    /** Of the processes' own work; garbage collection in it hits one reload or another, what is done in one piece each. */
    function longestStep(textOf: (version: number) => string, isRefused: boolean): Promise<number> {
      let version = 0;
      const suspected = async (): Promise<number> => {
        version += 1;
        const measured = await reload(textOf(version), isRefused);
        return Math.max(...[measured.primary, ...measured.workers].map(({ work }) => work));
      };
      return leastCost({ suspected, most: mostMilliseconds });
    }

    expect(await longestStep(write, false)).toBeLessThan(mostMilliseconds);
    expect(await longestStep((version) => write(version, { Timeout: `x${version}` }), true)).toBeLessThan(
      mostMilliseconds,
    );
    await service.stop();
    await rm(folder, { recursive: true });
  },
  120_000,
);
