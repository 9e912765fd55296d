import { randomUUID } from "node:crypto";
import { createClaimsIntoHeaders } from "../capabilities/claims/claims-into-headers.ts";
import { createClaimsIntoPath } from "../capabilities/claims/claims-into-path.ts";
import { createClaimsIntoQuery } from "../capabilities/claims/claims-into-query.ts";
import { type NamedExpression, parseExpressions } from "../capabilities/claims/claim-for-request.ts";
import { describeExpression } from "../capabilities/claims/tell-claims.ts";
import type { RouteConfig } from "../config/sections.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
import type { MatchedTarget } from "../forwarding/resolve-path.ts";
import type { ExplainedForward } from "./explanation.ts";

/** What a route makes of claims, for a client of whom nothing is known but that it was let in. */
export type ExplainClaims = Readonly<{
  changeTarget: (target: MatchedTarget) => MatchedTarget;
  /** Puts names where claims would fill something in. */
  tell: (forwarded: ExplainedForward) => ExplainedForward;
}>;

/** An expression that finds a word which no client can know, and what is shown instead of it. */
type StandIn = Readonly<{ word: string; shown: string; named: NamedExpression }>;

type Shows = (name: string, from: string) => string;

// Letters and digits are the same in a path, in a query and in a header.
const unguessable = `claim${randomUUID().replaceAll("-", "")}x`;

/** Prepares how an explanation speaks of claims; undefined where a route makes nothing of them. */
export function explainClaims(route: RouteConfig, hasIdentity: boolean): ExplainClaims | undefined {
  const inPath = standInsFor("", route.ChangeDownstreamPathTemplate, (name) => `{${name}}`);
  const inQuery = standInsFor("parameter ", route.AddQueriesToRequest, () => "{claim}");
  const inHeaders = standInsFor("header ", route.AddHeadersToRequest, (_name, from) => `<${from}>`);
  const added = standInsFor("claim ", route.AddClaimsToRequest, (name) => name);
  const all = [...added, ...inPath, ...inQuery, ...inHeaders];
  if (all.length === 0) return undefined;
  const claims = Object.fromEntries(all.map(({ word }) => [word, word]));
  const exchange = { identity: hasIdentity ? { claims } : undefined } as unknown as MatchedExchange;
  const fillPath = createClaimsIntoPath(expressionsOf(inPath), route.DownstreamPathTemplate);
  const fillQuery = createClaimsIntoQuery(expressionsOf(inQuery), route.DownstreamPathTemplate);
  const fillHeaders = createClaimsIntoHeaders(expressionsOf(inHeaders));

  return {
    changeTarget: (target) => (inPath.length === 0 ? target : fillPath(target, exchange)),
    tell(forwarded) {
      if (!hasIdentity) return forwarded;
      const outgoing = { path: forwarded.url, headers: { ...forwarded.headers } } as OutgoingRequest;
      fillHeaders(outgoing, exchange);
      fillQuery(outgoing, exchange);
      const headers = Object.entries(outgoing.headers).map(([name, value]) => [name, showIn(value, all)] as const);
      return { ...forwarded, url: showIn(outgoing.path, all), headers: Object.fromEntries(headers) };
    },
  };
}

function standInsFor(kind: string, written: RouteConfig["AddClaimsToRequest"], show: Shows): readonly StandIn[] {
  return parseExpressions(written).map(({ name, expression }, index) => {
    const from = describeExpression(expression);
    const word = `${unguessable}${kind.trim()}${index}x`;
    return { word, shown: show(name, from), named: { name, expression: { claim: word, part: undefined } } };
  });
}

function expressionsOf(standIns: readonly StandIn[]): readonly NamedExpression[] {
  return standIns.map(({ named }) => named);
}

function showIn<Text extends string | string[]>(text: Text, standIns: readonly StandIn[]): string | Text {
  if (typeof text !== "string") return text;
  return standIns.reduce<string>((shown, { word, shown: name }) => shown.replaceAll(word, () => name), text);
}
