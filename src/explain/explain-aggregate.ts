import { randomUUID } from "node:crypto";
import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import { partFailed } from "../aggregates/part-errors.ts";
import { placeholderOf } from "../aggregates/part-values.ts";
import { sketchAnswer } from "../aggregates/tell-aggregate.ts";
import { mergeMetadata } from "../capabilities/metadata/merge-metadata.ts";
import { routeBehind } from "../compiling/aggregate-routes.ts";
import type { RouteConfig } from "../config/sections.ts";
import { GatewayError } from "../errors.ts";
import { takesNoUpgrade } from "../exchange/admit-parts.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import type { Entry } from "./entries.ts";
import { refused } from "./explain-forward.ts";
import { explainMetadata } from "./explain-metadata.ts";
import {
  compileTaking,
  explainPlaceholders,
  explainTaken,
  type ExplainSurroundings,
  type Taken,
} from "./explain-taken.ts";
import type { ExplainableRequest, ExplainedForward, ExplainedPart, Explanation } from "./explanation.ts";
import { pretendRequest } from "./pretend-request.ts";
import { entryAccessOf } from "./route-access.ts";
import { entryPoliciesOf } from "./route-policies.ts";
import { asksForWebSocket } from "../capabilities/websockets/asks-for-websocket.ts";

type Asked = ExplainSurroundings & Readonly<{ request: ExplainableRequest }>;
type Aggregate = Entry & Readonly<{ aggregate: NonNullable<Entry["aggregate"]> }>;

/** What is told of a request and the aggregate that takes it: also what becomes of each part. */
type TakenByAggregate = Taken & Pick<Explanation, "parts" | "answer">;

/** Whether an entry is an aggregate. */
export function isAggregate(entry: Entry): entry is Aggregate {
  return entry.aggregate !== undefined;
}

/** Tells what becomes of a request on the aggregate that takes it, part by part. */
export function explainAggregate(
  entry: Aggregate,
  template: UpstreamTemplate,
  { found, ...asked }: Asked & Readonly<{ found: MatchedRequest<unknown> }>,
): TakenByAggregate {
  const { global, request } = asked;
  const { written, parts } = entry.aggregate;
  const { Metadata } = entry.config;
  const explained = parts.map((part) => explainPart(part, { written, template }, { ...asked, found }));
  const refusal = asksForWebSocket(pretendRequest(request)) ? takesNoUpgrade() : findRefusal(explained);
  const isSent = { outcome: "aggregate", forwarded: undefined, refusal: undefined } as const;
  return {
    ...(refusal === undefined ? isSent : refused(refusal)),
    parts: explained,
    answer: sketchAnswer(written),
    access: entryAccessOf(entry, global),
    policies: entryPoliciesOf(entry, global),
    cache: undefined,
    placeholders: explainPlaceholders(found, template),
    metadata: explainMetadata(mergeMetadata(global.Metadata, Metadata), global.Metadata, Metadata),
  };
}

/** The parts are admitted in turn, and the first one that refuses somebody ends the whole. */
function findRefusal(parts: readonly ExplainedPart[]): GatewayError | undefined {
  const refusing = parts.find(({ refusal }) => refusal !== undefined);
  if (refusing === undefined) return undefined;
  const { code, message } = refusing.refusal!;
  const reason = new GatewayError(code, message);
  return parts.length === 1 ? reason : (partFailed(refusing.key, reason) as GatewayError);
}

type Behind = Readonly<{ written: AggregateConfig; template: UpstreamTemplate }>;

function explainPart(
  part: RouteConfig,
  { written, template }: Behind,
  { found, ...asked }: Asked & Readonly<{ found: MatchedRequest<unknown> }>,
): ExplainedPart {
  const key = part.Key!;
  const source = written.RouteKeysConfig?.find(({ RouteKey }) => RouteKey === key);
  const taking = compileTaking(routeBehind(written, part), template, asked);
  if (source?.Parameter === undefined || written.RouteKeys?.length === 1) {
    return toPart(key, undefined, explainTaken(taking, found, asked));
  }
  const name = placeholderOf(source.Parameter);
  const { match } = found;
  const filled = { ...found, match: { ...match, placeholders: { ...match.placeholders, [name]: word } } };
  const taken = explainTaken(taking, filled, asked);
  const forwarded = taken.forwarded && showName(taken.forwarded, `{${name}}`);
  return toPart(key, `each ${source.JsonPath?.trim()} in the answer of ${written.RouteKeys![0]}`, {
    ...taken,
    forwarded,
  });
}

// No client can know it, and no encoding changes it.
const word = `value${randomUUID().replaceAll("-", "")}x`;

/** Puts the name of a placeholder where a value would be that only an answer can tell. */
function showName(forwarded: ExplainedForward, name: string): ExplainedForward {
  const show = (text: string): string => text.replaceAll(word, () => name);
  const headers = Object.entries(forwarded.headers).map(
    ([header, value]) => [header, typeof value === "string" ? show(value) : value.map(show)] as const,
  );
  return { ...forwarded, url: show(forwarded.url), headers: Object.fromEntries(headers) };
}

function toPart(
  key: string,
  askedFor: string | undefined,
  { outcome, forwarded, refusal, access, policies, cache }: Taken,
): ExplainedPart {
  return { key, askedFor, outcome, forwarded, refusal, access: access!, policies, cache };
}
