import { ConfigError, type ConfigProblem } from "./errors.ts";
import type { Logger } from "./logger.ts";
import { checkMetadataContract, type MetadataContract } from "./metadata/check-contract.ts";
import type { Route } from "./route.ts";

/** Refuses to start when a route carries a metadata value that does not fit the declared contract; reports all of them. */
export function checkDeclaredMetadata(contract: MetadataContract, routes: readonly Route[], logger: Logger): void {
  const positions = new Map(routes.map(({ id }, index) => [id, index]));
  const readers = routes.map(({ id, getMetadata }) => ({ routeId: id, getMetadata }));
  const problems = checkMetadataContract(contract, readers).map(({ route, key, message }): ConfigProblem => ({
    code: "metadata-value",
    path: `Routes[${positions.get(route)!}].Metadata[${JSON.stringify(key)}]`,
    message,
  }));
  if (problems.length === 0) return;
  for (const problem of problems) logger.error(problem, problem.message);
  const list = problems.map(({ path, message }) => `  ${path}: ${message}`).join("\n");
  throw new ConfigError(`${problems.length} metadata value(s) do not fit the declared types:\n${list}`, problems);
}
