import type { IncomingMessage } from "node:http";
import { createChangeHeaders } from "../headers/transforms/change-headers.ts";
import { effectiveTransforms } from "../headers/transforms/effective-transforms.ts";
import { createFindFill, type Fill } from "../headers/transforms/placeholders.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
import { describeTransforms } from "./describe-transforms.ts";
import type { ExplainedForward } from "./explanation.ts";

/** Puts into an explanation what header transforms make of the request, and says what they do with its answer. */
export function explainTransforms(
  forwarded: ExplainedForward,
  req: IncomingMessage,
  { config, global }: Readonly<{ config: RouteConfig; global: GlobalConfig }>,
): ExplainedForward {
  const find = createFindFill("request", global.BaseUrl);
  const change = createChangeHeaders(effectiveTransforms("request", config, global), {
    direction: "request",
    findFill: (name) =>
      name === "RemoteIpAddress" ? nameOnly(req.socket.remoteAddress) : (find(name) ?? unknown(name)),
    tellUnknown: () => () => undefined,
  });
  const headers = { ...forwarded.headers };
  change?.(headers, { given: { host: req.headers.host }, context: { req } } as unknown as MatchedExchange);
  const answerHeaders = describeTransforms("answer", config, global);
  return { ...forwarded, headers, ...(Object.keys(answerHeaders).length > 0 && { answerHeaders }) };
}

function nameOnly(text: string | undefined): Fill {
  return () => text;
}

/** The option headerPlaceholders is not known here; a request without a BaseUrl knows no such placeholder. */
function unknown(name: string): Fill | undefined {
  return name === "BaseUrl" || name === "DownstreamBaseUrl" ? undefined : () => `<{${name}}>`;
}
