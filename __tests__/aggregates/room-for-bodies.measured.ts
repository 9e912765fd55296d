import zlib from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { createAnswer } from "../../src/index.ts";
import { answersValues, startWhole } from "./start-whole.ts";

describe("Values of the first answer", () => {
  test.each([
    { what: "the others are parts that failed", megabytes: 10, level: 1, calls: 11, failed: true },
    { what: "as they are when decompressed", megabytes: 6, level: 0, calls: 10, failed: false },
  ])("An aggregator gets bodies of 100 MiB in all: $what", async ({ megabytes, level, calls, failed }) => {
    const body = zlib.gzipSync(Buffer.alloc(megabytes * 1024 * 1024), { level });
    const ids = answersValues(Array.from({ length: calls }, (_, id) => ({ id })));
    const { origin } = await startWhole(
      { aggregate: { Aggregator: "count" } },
      {
        answer(req, res) {
          if (req.url === "/a") ids(req, res);
          else res.setHeader("content-encoding", "gzip").end(body);
        },
        aggregators: {
          count(parts) {
            const hasFailed = parts.some(({ error }) => error !== undefined);
            const bytes = parts.reduce((sum, part) => sum + part.body.length, 0);
            return createAnswer({ status: 200, body: `${hasFailed} ${bytes <= 100 * 1024 * 1024}` });
          },
        },
      },
    );
    expect(await (await fetch(`${origin}/values`)).text()).toBe(`${failed} true`);
  });
});
