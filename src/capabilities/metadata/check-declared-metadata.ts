import { ConfigError, type ConfigProblem, MetadataError } from "../../errors.ts";
import type { Logger } from "../../logging/logger.ts";
import type { Steps } from "../../time-slices.ts";
import type { GetMetadata, MetadataType } from "./get-metadata.ts";

/** The metadata keys a gateway relies on, each with its type. */
export type MetadataContract = Readonly<Record<string, MetadataType>>;

/** A route whose metadata can be read. */
type ReadableRoute = Readonly<{ getMetadata: GetMetadata }>;

/** Refuses to start when a route carries a metadata value that does not fit the declared contract; reports all of them. */
export function* checkDeclaredMetadata(
  contract: MetadataContract,
  routes: readonly ReadableRoute[],
  logger: Logger,
): Steps<void> {
  const declared = Object.entries(contract);
  if (declared.length === 0) return;
  const problems: ConfigProblem[] = [];
  for (const [index, route] of routes.entries()) {
    yield;
    for (const { key, message } of declared.flatMap(([name, type]) => findMisfit(route, name, type))) {
      const path = `Routes[${index}].Metadata[${JSON.stringify(key)}]`;
      problems.push({ code: "metadata-value", path, message });
    }
  }
  if (problems.length === 0) return;
  for (const problem of problems) logger.error(problem, problem.message);
  const list = problems.map(({ path, message }) => `  ${path}: ${message}`).join("\n");
  throw new ConfigError(`${problems.length} metadata value(s) do not fit the declared types:\n${list}`, problems);
}

/** The error of a value that does not fit its type; a key that a route lacks is fine. */
function findMisfit({ getMetadata }: ReadableRoute, key: string, type: MetadataType): MetadataError[] {
  try {
    getMetadata(key, type);
    return [];
  } catch (error) {
    if (error instanceof MetadataError) return [error];
    throw error;
  }
}
