import type { IncomingMessage, ServerResponse } from "node:http";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { Gateway } from "../gateway.ts";
import type { PurgedAnswers } from "../compiling/live.ts";
import { shownRouteId } from "../secrets/shown-route.ts";
import { answerJson, refuse } from "../pages/answer.ts";
import { readJson } from "./read-json.ts";

/** What the page asks to be thrown away, or why that is nothing. */
type Asked = Readonly<{ answers: PurgedAnswers }> | Readonly<{ fault: string }>;

/** Why a request may throw nothing away: it does not say from where it comes, as browsers do. */
export function findOriginless({ headers }: IncomingMessage): string | undefined {
  return headers.origin === undefined ? "Only the inspector's own page may ask for this (Origin)." : undefined;
}

/** Makes the function that throws cached answers away as the page asks for it: all, those of a region, or of a route. */
export function createAnswerPurge(
  { cache }: Pick<Gateway, "cache">,
  present: () => Pick<CompiledConfiguration, "routes">,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  return async function answerPurge(req, res) {
    const body = await readJson(req);
    const asked = "fault" in body ? body : readPurge(body.value, present());
    if ("fault" in asked) {
      refuse(req, res, 400, asked.fault);
      return;
    }
    try {
      await cache.purge(asked.answers);
      answerJson(req, res, { purged: true });
    } catch (error) {
      refuse(req, res, 503, error instanceof Error ? error.message : String(error));
    }
  };
}

function readPurge(value: unknown, { routes }: Pick<CompiledConfiguration, "routes">): Asked {
  if (typeof value !== "object" || value === null) return { fault: "The body is no object." };
  const { region, route: shown, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return { fault: "Only a region and a route can be named." };
  if (region !== undefined && typeof region !== "string") return { fault: "The region is no text." };
  if (shown === undefined) return { answers: { region } };
  // The page knows routes by the names that may be shown.
  const route = [...routes.values()].find((one) => shownRouteId(one) === shown);
  return route === undefined ? { fault: "There is no such route." } : { answers: { region, route: route.id } };
}
