import { isDeepStrictEqual } from "node:util";
import type { JsonNode } from "../../json/json-node.ts";
import type { Steps } from "../../time-slices.ts";
import { type Finding, isError } from "../problems/problem-list.ts";
import { type Configuration, createConfigurationReader, type ReaderOptions } from "../read/read-configuration.ts";
import type { TreeFile } from "./join-files.ts";
import { findingAt } from "./file-at-offset.ts";

const besideParts =
  "this file lies beside parts, and says something else than they do: --part ocelot.json makes it one of them, --ignore ocelot.json passes it over, if it was made of them and is stale";

/** Reads what is only compared; what is wrong with it is told where it counts. */
export function* readAgain(root: JsonNode, options: ReaderOptions): Steps<Configuration> {
  return yield* createConfigurationReader({ ...options, isLinting: false }).readRest(root, false);
}

/** What one tool has made of the parts is no mistake where it says the same. */
export function* judgeWholes(
  wholes: readonly TreeFile[],
  base: Configuration,
  options: ReaderOptions,
): Steps<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const tree of wholes) {
    const { findings: found, ...whole } = yield* readAgain(tree.root, options);
    const isSame = isDeepStrictEqual([whole.routes, whole.global], [base.routes, base.global]);
    if (isSame && !found.some(isError)) continue;
    findings.push(findingAt(tree, "file-superfluous", besideParts));
  }
  return findings;
}
