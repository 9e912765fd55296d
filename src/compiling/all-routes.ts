import type { CompiledRoute } from "./compiled-route.ts";
import type { CompiledConfiguration } from "./compiled-configuration.ts";

/** All routes of a configuration: those that are written, and those of services that clients have named. */
export function allRoutesOf({
  compiled,
  unlisted,
}: Pick<CompiledConfiguration, "compiled" | "unlisted">): readonly CompiledRoute[] {
  return unlisted === undefined ? compiled : [...compiled, ...unlisted.compiled().values()];
}
