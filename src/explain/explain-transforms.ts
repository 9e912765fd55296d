import type { IncomingMessage } from "node:http";
import { type Change, readChange } from "../capabilities/header-transforms/change.ts";
import { createChangeHeaders } from "../capabilities/header-transforms/change-headers.ts";
import { effectiveTransforms } from "../capabilities/header-transforms/effective-transforms.ts";
import { createFindFill, type Fill } from "../capabilities/header-transforms/placeholders.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
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
  const ofAnswer = [...effectiveTransforms("answer", config, global)].map(([name, transform]) => {
    return [name, describeChange(readChange(transform, "answer"))] as const;
  });
  return ofAnswer.length === 0
    ? { ...forwarded, headers }
    : { ...forwarded, headers, answerHeaders: Object.fromEntries(ofAnswer) };
}

function nameOnly(text: string | undefined): Fill {
  return () => text;
}

/** The option headerPlaceholders is not known here; a request without a BaseUrl knows no such placeholder. */
function unknown(name: string): Fill | undefined {
  return name === "BaseUrl" || name === "DownstreamBaseUrl" ? undefined : () => `<{${name}}>`;
}

function describeChange(change: Change): string {
  if (change.does === "replace") return `${change.find} becomes ${change.text === "" ? "nothing" : change.text}`;
  return change.text.trim() === "" && change.does === "set" ? "removed" : words[change.does](change.text);
}

const words = {
  set: (text: string) => `set to ${text}`,
  append: (text: string) => `${text} added to it`,
  add: (text: string) => `${text}, unless the downstream sends it`,
} as const;
