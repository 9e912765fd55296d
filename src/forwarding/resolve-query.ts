import {
  acceptParameter,
  createJudgeParameter,
  type JudgeParameter,
  type ParameterRules,
} from "../capabilities/naming-service/judge-client-parameter.ts";
import type { ValueOrigin } from "../templates/encode-value.ts";
import { createFillTemplate, type PlaceholderValues } from "../templates/fill-template.ts";
import { parseTemplate, placeholderNames } from "../templates/template.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import { type QueryParameter, splitQuery } from "../urls/client-query.ts";
import { parameterIdentities } from "../urls/parameter-aliases.ts";
import { createFillOwn, hideTaken, identitiesOf, type IsTaken, readQueryTemplate } from "./template-parameters.ts";

/** What a route says about its downstream query. */
export type QuerySettings = ParameterRules & Readonly<{ upstream: UpstreamTemplate }>;

/** What of one matched request its downstream query is made from. */
export type MatchedQuery = Readonly<{ values: PlaceholderValues; query: string | undefined }>;

type FillQuery = (matched: MatchedQuery) => string | undefined;

/** What of the client's query is forwarded beside what was chosen for the template's own parameters. */
type TakeClientQuery = (query: string | undefined, chosen?: ReadonlySet<string>) => string | undefined;

/** Prepares how a route's downstream query is made from a request; `text` is that of the template, if it has one. */
export function createFillQuery(text: string | undefined, settings: QuerySettings): FillQuery {
  const judge = createJudgeParameter(settings);
  const { wholeQuery: rest, origins } = settings.upstream;
  if (text === undefined) {
    const takeClientQuery = createTakeClientQuery(createIsTaken(capturedIn(settings)), judge);
    return ({ query }) => takeClientQuery(query);
  }
  if (text === `{${rest ?? ""}}`) return createFillWhole(text, origins, judge);
  if (rest !== undefined && text.endsWith(`&{${rest}}`)) return createFillRest(text, settings, judge);
  const [fillOwn, takeOthers] = createParts(text, settings, judge);
  const takesAll = rest !== undefined && placeholderNames(text).includes(rest);
  return function fillQuery({ values, query }) {
    const own = fillOwn(values);
    return join(own.text, takesAll ? undefined : takeOthers(query, own.chosen));
  };
}

/** What the template sets, and what else the client may send beside it. */
function createParts(
  text: string,
  settings: QuerySettings,
  judge: JudgeParameter,
): [ReturnType<typeof createFillOwn>, TakeClientQuery] {
  const { named } = readQueryTemplate(text);
  const isTaken = createIsTaken([...named, ...capturedIn(settings)]);
  const rules = { isSet: createIsTaken(named), isTaken, judge };
  return [createFillOwn(text, originsIn(settings.upstream), rules), createTakeClientQuery(isTaken, judge)];
}

function join(own: string, others = ""): string | undefined {
  const joined = own === "" || others === "" ? own + others : `${own}&${others}`;
  return joined === "" ? undefined : joined;
}

function createFillWhole(text: string, origins: UpstreamTemplate["origins"], judge: JudgeParameter): FillQuery {
  const fill = createFillTemplate(parseTemplate(text), "query", origins);
  return function fillWholeQuery({ values }) {
    const query = fill(values);
    splitQuery(query).forEach(judge);
    return query === "" ? undefined : query;
  };
}

/** `{rest}` behind other parameters: it holds those that the client sends, but none that the template sets. */
function createFillRest(text: string, settings: QuerySettings, judge: JudgeParameter): FillQuery {
  const at = text.lastIndexOf("&");
  const [fillOwn, takeRest] = createParts(text.slice(0, at), settings, judge);
  const fillRest = createFillTemplate(parseTemplate(text.slice(at + 1)), "query", settings.upstream.origins);
  return function fillQuery({ values }) {
    const own = fillOwn(values);
    return join(own.text, takeRest(fillRest(values), own.chosen));
  };
}

/** Where values come from; all that a client sends is encoded where it becomes the value of one parameter. */
function originsIn({ origins, wholeQuery }: UpstreamTemplate): ReadonlyMap<string, ValueOrigin> {
  if (wholeQuery === undefined) return origins;
  return new Map<string, ValueOrigin>([...origins, [wholeQuery, "rest"]]);
}

function capturedIn({ upstream: { capturedParameters } }: QuerySettings): QueryParameter[] {
  return [...capturedParameters].map((name) => ({ raw: "", name }));
}

function createIsTaken(parameters: readonly QueryParameter[]): IsTaken {
  const taken = identitiesOf(parameters);
  return taken.size === 0 ? nothingIsTaken : (parameter) => isAmong(taken, parameter);
}

const nothingIsTaken: IsTaken = () => false;

function isAmong(names: ReadonlySet<string>, parameter: QueryParameter): boolean {
  return parameterIdentities(parameter).some((identity) => names.has(identity));
}

/** What of the client's query is forwarded: untouched where nothing in the route speaks of a parameter. */
function createTakeClientQuery(isSet: IsTaken, judge: JudgeParameter): TakeClientQuery {
  return function takeClientQuery(query, chosen) {
    if (query === undefined || query === "") return undefined;
    const hasChosen = chosen !== undefined && chosen.size > 0;
    if (isSet === nothingIsTaken && !hasChosen && judge === acceptParameter) return query;
    const isTaken = hasChosen ? (parameter: QueryParameter) => isSet(parameter) || isAmong(chosen, parameter) : isSet;
    const kept = splitQuery(query).filter((parameter) => !isTaken(parameter));
    kept.forEach(judge);
    return kept.length === 0 ? undefined : kept.map((parameter) => hideTaken(parameter, isTaken)).join("&");
  };
}
