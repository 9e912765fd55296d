import type { Headers } from "../../delegating-handler.ts";
import { RequestError, UpstreamError, type GatewayError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { plainName } from "../header-aliases.ts";
import type { HeaderTransform } from "../../schema/key.ts";
import { type Change, type Direction, readChange } from "./change.ts";
import { createFillText, type TellUnknown } from "./fill-text.ts";
import type { Fill, FindFill } from "./placeholders.ts";
import { longestValue, replaceOrigin, replaceText, tooLong } from "./replace-text.ts";

/** Does with headers, whose names are in lower case, what is to be done with them. */
export type ChangeHeaders = (headers: Headers, exchange: MatchedExchange) => void;

/** How texts are filled, and who hears of placeholders that nobody knows. */
export type Filling = Readonly<{
  direction: Direction;
  findFill: FindFill;
  tellUnknown: (header: string) => TellUnknown;
}>;

/** Compiles what is to be done with headers, by their names; undefined where that is nothing. */
export function createChangeHeaders(
  transforms: ReadonlyMap<string, HeaderTransform>,
  { direction, findFill, tellUnknown }: Filling,
): ChangeHeaders | undefined {
  const changes = [...transforms].filter(([name]) => direction === "answer" || name !== "host");
  const steps = changes.map(([name, transform]) => {
    const change = readChange(transform, direction);
    return createStep({ name, direction, change, fill: createFillText(change.text, findFill, tellUnknown(name)) });
  });
  if (steps.length === 0) return undefined;
  return function changeHeaders(headers, exchange) {
    for (const step of steps) step(headers, exchange);
  };
}

type Step<Kind extends Change = Change> = Readonly<{ name: string; direction: Direction; change: Kind; fill: Fill }>;

function createStep({ change, ...step }: Step): ChangeHeaders {
  return change.does === "replace" ? createReplacing({ change, ...step }) : makers[change.does](step);
}

/** What does not look at the values that there are. */
const makers: Readonly<Record<"set" | "append" | "add", (step: Omit<Step, "change">) => ChangeHeaders>> = {
  set: ({ name, direction, fill }) => {
    const plain = plainName(name);
    return function setHeader(headers, exchange) {
      const value = fill(exchange);
      if (direction === "request") dropOtherSpellings(headers, name, plain);
      const isPut = put(headers, name, value);
      if (!isPut && headers[name] !== undefined) Reflect.deleteProperty(headers, name);
    };
  },
  append: ({ name, direction, fill }) =>
    function appendHeader(headers, exchange) {
      const value = fill(exchange);
      const present = headers[name];
      if (present === undefined || value === undefined) put(headers, name, value);
      else headers[name] = direction === "answer" ? [present, value].flat() : joinLines(name, [present, value].flat());
    },
  add: ({ name, fill }) =>
    function addHeader(headers, exchange) {
      if (headers[name] === undefined) put(headers, name, fill(exchange));
    },
};

/** Whether there was something to put; deleting what is put anew would make the headers slow to read. */
function put(headers: Headers, name: string, value: string | undefined): boolean {
  const text = value?.trim() ?? "";
  if (text !== "") headers[name] = text;
  return text !== "";
}

function joinLines(name: string, lines: readonly string[]): string {
  return lines.join(name === "cookie" ? "; " : ", ");
}

/** A downstream may take another spelling, which the client has sent, for the same name. */
function dropOtherSpellings(headers: Headers, name: string, plain: string): void {
  for (const other in headers) {
    if (other.length !== plain.length || other === name) continue;
    if (plainName(other) === plain) Reflect.deleteProperty(headers, other);
  }
}

const originPlaceholder = "{DownstreamBaseUrl}";

type Replace = (value: string, replacement: string, exchange: MatchedExchange) => string | typeof tooLong;

function createReplacing({ name, direction, change, fill }: Step<Extract<Change, { does: "replace" }>>): ChangeHeaders {
  const replace = direction === "answer" ? createReplaceInAnswer(change.find) : createReplace(change.find);

  return function replaceInHeader(headers, exchange) {
    const present = headers[name];
    const replacement = present === undefined ? undefined : fill(exchange);
    if (present === undefined || replacement === undefined) return;
    const changed =
      typeof present === "string"
        ? replaceInLine(present, replacement, exchange)
        : replaceInLines(present, replacement, exchange);
    if (changed.length === 0) Reflect.deleteProperty(headers, name);
    else headers[name] = changed;
  };

  function replaceInLines(lines: readonly string[], replacement: string, exchange: MatchedExchange): string[] {
    const replaced = lines.map((line) => replaceInLine(line, replacement, exchange));
    const length = replaced.reduce((sum, line) => sum + line.length, 0);
    if (length > longestValue) throw grownTooLong(name, direction);
    return replaced.filter((line) => line !== "");
  }

  function replaceInLine(line: string, replacement: string, exchange: MatchedExchange): string {
    const replaced = replace(line, replacement, exchange);
    if (replaced === tooLong) throw grownTooLong(name, direction);
    return replaced.trim();
  }
}

function createReplace(find: string): Replace {
  return (value, replacement) => replaceText(value, find, replacement);
}

function createReplaceInAnswer(find: string): Replace {
  const at = find.indexOf(originPlaceholder);
  if (at === -1) return createReplace(find);
  // A blank beside the placeholder is part of no URL.
  const [before, behind] = [find.slice(0, at).trimStart(), find.slice(at + originPlaceholder.length).trimEnd()];
  return function replaceInAnswer(value, replacement, { askedOrigin: origin }) {
    return origin === undefined ? value : replaceOrigin(value, { origin, before, behind }, replacement);
  };
}

function grownTooLong(name: string, direction: Direction): GatewayError {
  const message = `The header ${JSON.stringify(name)} would be longer than headers may be once its texts are replaced.`;
  return direction === "request"
    ? new RequestError("header-too-large", message)
    : new UpstreamError("upstream-ill-formed", message);
}
