import { createFillTemplate, type FillTemplate, type PlaceholderValues } from "../templates/fill-template.ts";
import type { ValueOrigin } from "../templates/encode-value.ts";
import { parseTemplate, placeholderNames } from "../templates/template.ts";
import { type QueryParameter, splitAtSemicolons, splitQuery } from "../urls/client-query.ts";
import { parameterIdentities } from "../urls/parameter-aliases.ts";
import { countSemicolons, mostParametersInFront } from "./too-many-parameters.ts";

/** Whether a parameter is one that somebody has set already. */
export type IsTaken = (parameter: QueryParameter) => boolean;

/** A downstream query as it is written: which parameters have their names there, and which get them from a request. */
type QueryTemplate = Readonly<{
  pieces: readonly Readonly<{ text: string; isNamed: boolean }>[];
  named: readonly QueryParameter[];
}>;

const namesItself = /^[^={]*(?:=|$)/;

/** Reads which names of parameters stand in a downstream query; a placeholder there takes any name that a client chooses. */
export function readQueryTemplate(text: string): QueryTemplate {
  const pieces = text.split("&").map((piece) => ({ text: piece, isNamed: namesItself.test(piece) }));
  return { pieces, named: pieces.filter(({ isNamed }) => isNamed).flatMap((piece) => splitQuery(piece.text)) };
}

/** All that upstreams may read some parameters as. */
export function identitiesOf(parameters: readonly QueryParameter[]): ReadonlySet<string> {
  return new Set(parameters.flatMap(parameterIdentities).filter((identity) => identity !== ""));
}

/** The parameters that a template sets for one request, and what those are read as whose names came from that request. */
type OwnParameters = Readonly<{ text: string; chosen: ReadonlySet<string> }>;

const nothingChosen: ReadonlySet<string> = new Set();

/** What the template sets itself, what the route has captured besides, and who may send what. */
type OwnRules = Readonly<{ isSet: IsTaken; isTaken: IsTaken; judge: (parameter: QueryParameter) => void }>;

/**
 * Prepares the parameters that a template sets. One whose name is a placeholder's value is judged as if the client had sent
 * it, and goes where the template itself sets that name; no value sets another parameter behind a semicolon.
 */
export function createFillOwn(
  text: string,
  origins: ReadonlyMap<string, ValueOrigin>,
  { isSet, isTaken, judge }: OwnRules,
): (values: PlaceholderValues) => OwnParameters {
  const { pieces } = readQueryTemplate(text);
  const hideInValues = createHideInValues(text, origins, isTaken);
  const createFill = (part: string): FillTemplate => createFillTemplate(parseTemplate(part), "query", origins);
  const fillAll = createFill(text);
  if (pieces.every(({ isNamed }) => isNamed))
    return (values) => ({ text: fillAll(hideInValues(values)), chosen: nothingChosen });
  const fills = pieces.map((piece) => ({ ...piece, fill: createFill(piece.text) }));
  return function fillOwn(given) {
    const values = hideInValues(given);
    const texts: string[] = [];
    const chosen: QueryParameter[] = [];
    for (const { fill, isNamed } of fills) {
      const parameters = isNamed ? [] : splitQuery(fill(values)).filter((parameter) => !isSet(parameter));
      parameters.forEach(judge);
      chosen.push(...parameters);
      texts.push(...(isNamed ? [fill(values)] : parameters.map((parameter) => hideTaken(parameter, isTaken))));
    }
    return { text: texts.filter((piece) => piece !== "").join("&"), chosen: identitiesOf(chosen) };
  };
}

/**
 * Values of the client's query stay as they are written, but for semicolons that would begin a parameter that is set, or
 * so many others that a service leaves out what stands behind them.
 */
function createHideInValues(
  text: string,
  origins: ReadonlyMap<string, ValueOrigin>,
  isTaken: IsTaken,
): (values: PlaceholderValues) => PlaceholderValues {
  const raw = placeholderNames(text).filter((name) => origins.get(name) === "query");
  const written = text.split("&").length;
  if (raw.length === 0) return (values) => values;
  return function hideInValues(values) {
    const { captured, current } = values;
    const split = raw.filter((name) => current[name] === captured[name] && captured[name]?.includes(";") === true);
    if (split.length === 0) return values;
    const count = split.reduce((sum, name) => sum + countSemicolons(captured[name]!), written);
    const isHidden = count > mostParametersInFront ? isAny : isTaken;
    const hidden = Object.fromEntries(split.map((name) => [name, hideBehind(captured[name]!, isHidden)]));
    return { captured: { ...captured, ...hidden }, current: { ...current, ...hidden } };
  };
}

const isAny: IsTaken = () => true;

function hideBehind(value: string, isTaken: IsTaken): string {
  const [first, ...others] = splitAtSemicolons({ raw: value, name: "" });
  return joinHidden(first!.raw, others, isTaken);
}

/** A semicolon that would begin, or end, a parameter that is set is encoded: for all other servers nothing changes. */
export function hideTaken(parameter: QueryParameter, isTaken: IsTaken): string {
  if (!parameter.raw.includes(";")) return parameter.raw;
  const [first, second, ...others] = splitAtSemicolons(parameter);
  return isTaken(first!)
    ? joinHidden(`${first!.raw}%3B${second!.raw}`, others, isTaken)
    : joinHidden(first!.raw, [second!, ...others], isTaken);
}

function joinHidden(first: string, others: readonly QueryParameter[], isTaken: IsTaken): string {
  return others.reduce((text, other) => `${text}${isTaken(other) ? "%3B" : ";"}${other.raw}`, first);
}
