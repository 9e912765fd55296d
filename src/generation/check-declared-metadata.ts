import { ConfigError, type ConfigProblem } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { checkMetadataContract, type MetadataContract } from "../metadata/check-contract.ts";
import type { Route } from "../route.ts";
import type { Steps } from "../slices.ts";

/** Refuses to start when a route carries a metadata value that does not fit the declared contract; reports all of them. */
export function* checkDeclaredMetadata(
  contract: MetadataContract,
  routes: readonly Route[],
  logger: Logger,
): Steps<void> {
  const problems: ConfigProblem[] = [];
  for (const [index, { id, getMetadata }] of routes.entries()) {
    yield;
    for (const { key, message } of checkMetadataContract(contract, [{ routeId: id, getMetadata }])) {
      const path = `Routes[${index}].Metadata[${JSON.stringify(key)}]`;
      problems.push({ code: "metadata-value", path, message });
    }
  }
  if (problems.length === 0) return;
  for (const problem of problems) logger.error(problem, problem.message);
  const list = problems.map(({ path, message }) => `  ${path}: ${message}`).join("\n");
  throw new ConfigError(`${problems.length} metadata value(s) do not fit the declared types:\n${list}`, problems);
}
