import { groupOfRegion, groupOfRoute } from "../capabilities/caching/purge-groups.ts";
import { effectiveCache } from "../capabilities/caching/effective-cache.ts";
import { globalConfigOf } from "../config/gateway-config.ts";
import type { RouteConfig } from "../config/sections.ts";
import { GatewayError } from "../errors.ts";
import { describeValue } from "../options/describe-value.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { type AnswerStore, groupOfAll } from "../stores/answer-store.ts";
import type { Live, Purge, PurgedAnswers } from "../compiling/live.ts";

/** Makes the function that throws cached answers away in this process, and in all that share its store. */
export function createPurge(live: Pick<Live, "present">, answers: Pick<AnswerStore, "purge">): Purge {
  return async function purge(purged = {}) {
    requirePurgedAnswers(purged);
    const group = groupOf(purged, live);
    if (group !== undefined) await answers.purge(group);
  };
}

/** Makes the function that throws cached answers away in all processes of the gateway. */
export function createPurgeEverywhere(live: Pick<Live, "purge" | "purged">): Purge {
  return async function purge(answers = {}) {
    await live.purge(answers);
    await live.purged?.(answers);
  };
}

function groupOf({ region, route: id }: PurgedAnswers, { present }: Pick<Live, "present">): string | undefined {
  if (region === undefined && id === undefined) return groupOfAll;
  const global = globalConfigOf(present.config)!;
  const isOfRegion = (config: RouteConfig): boolean =>
    region === undefined || effectiveCache(config, global)?.region === region;
  if (id === undefined) return present.config.routes.some(isOfRegion) ? groupOfRegion(region!) : undefined;
  const config = present.routes.get(id)?.config;
  return config !== undefined && isOfRegion(config) ? groupOfRoute(config) : undefined;
}

function requirePurgedAnswers(answers: PurgedAnswers): void {
  refuseUnknownOptions(answers, { region: true, route: true }, "gateway.cache.purge()");
  for (const [name, value] of Object.entries(answers)) {
    if (value === undefined || typeof value === "string") continue;
    throw new GatewayError(
      "option-invalid",
      `Invalid option ${JSON.stringify(name)} of gateway.cache.purge(): expected a text, received ${describeValue(value)}.`,
    );
  }
}
