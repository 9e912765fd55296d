import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { compareCounts } from "../../bench/differential/count-requests.ts";
import { isInstalled, upstreamParsers } from "../../bench/differential/upstream-parsers.ts";
import { arbitraryRequestBytes } from "./arbitrary-bytes.ts";

const cases = fc.sample(arbitraryRequestBytes, { seed: 6, numRuns: 60 });

/** The short form; `node bench/differential.ts` sends thousands. */
test.each(upstreamParsers.filter(isInstalled))(
  "the gateway and $name count the same number of requests",
  async (parser) => expect(await compareCounts(parser, cases)).toMatchObject({ disagreements: [] }),
);
