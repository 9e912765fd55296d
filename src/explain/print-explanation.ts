import { escapeControls } from "../logging/escape-controls.ts";
import type {
  ExplainedForward,
  ExplainedMetadata,
  ExplainedPart,
  ExplainedPlaceholder,
  ExplainedRefusal,
  ExplainedRoute,
  Explanation,
} from "./explanation.ts";
import type { Policy } from "./route-policies.ts";
import type { Style } from "./style.ts";
import { printToken, tokenTitles } from "./print-token.ts";

const marks = { takes: "✓", "passed-by": "·", "does-not-match": "✗" } as const;
const looks = { takes: "green", "passed-by": "yellow", "does-not-match": "dim" } as const;

/** An explanation as text: the answer first, then the routes in the order in which they are tried. */
export function printExplanation(explanation: Explanation, style: Style = (_format, text) => text): string {
  const { request, routes, placeholders, forwarded, refusal, access, policies, token, metadata } = explanation;
  const { cache, parts = [], answer, unlisted } = explanation;
  const sections = [
    [
      printRequest(request, style),
      summarise(explanation, style),
      ...(unlisted ? [escapeControls(unlisted.message)] : []),
    ],
    section("Routes, in the order in which they are tried:", printRoutes(routes, style), style),
    section("Placeholders:", printPlaceholders(placeholders), style),
    access === undefined ? [] : section("Who may come in:", [escapeControls(access.summary)], style),
    section("What else holds:", policies.flatMap(printPolicy), style),
    section("From the cache:", printCache(cache), style),
    token === undefined ? [] : section(tokenTitles[token.verdict], printToken(token, style), style),
    refusal === undefined ? [] : section("Refused:", printRefusal(refusal), style),
    forwarded === undefined
      ? []
      : section("Sent upstream, unless middleware or a handler changes it:", printForward(forwarded), style),
    ...parts.map((part) => section(`Part ${escapeControls(JSON.stringify(part.key))}:`, printPart(part), style)),
    section("Answers:", answer === undefined || refusal !== undefined ? [] : [escapeControls(answer)], style),
    section("Changed in the answer:", printHeaders(forwarded?.answerHeaders ?? {}), style),
    section("Metadata:", printMetadata(metadata), style),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
  return `${text}\n`;
}

function printRequest({ method, path, host, address }: Explanation["request"], style: Style): string {
  const from = address === undefined ? "" : `, from ${address}`;
  return style("bold", escapeControls(`${method} ${path}`)) + escapeControls(` (host ${host}${from})`);
}

function section(title: string, lines: readonly string[], style: Style): readonly string[] {
  return lines.length === 0 ? [] : [style("bold", title), ...lines.map((line) => `  ${line}`)];
}

function summarise(explanation: Explanation, style: Style): string {
  const { outcome, route, refusal, forwarded, parts = [] } = explanation;
  const place = placeOf(explanation);
  const name = escapeControls(JSON.stringify(route ?? "") + (place === undefined ? "" : ` (${place})`));
  if (forwarded !== undefined) {
    const how = outcome === "websocket" ? "opens a WebSocket to" : "sends it to";
    return style("green", `Route ${name} ${how} ${escapeControls(forwarded.url)}`);
  }
  if (outcome === "aggregate") {
    const keys = parts.map(({ key }) => key).join(", ");
    return style("green", `Aggregate ${name} asks ${escapeControls(keys)}, and makes one answer of theirs`);
  }
  if (refusal !== undefined)
    return style("red", `Route ${name} takes it, but it is answered ${refusal.status} (${refusal.code})`);
  return style("red", "No route takes it: it goes to the next handler of the app, or is answered 404");
}

/** Where the route stands that takes the request; undefined where there is only one file. */
function placeOf({ routes }: Pick<Explanation, "routes">): string | undefined {
  const taker = routes.find(({ verdict }) => verdict === "takes");
  return taker && describePlace(taker);
}

function describePlace({ file, line }: Pick<ExplainedRoute, "file" | "line">): string | undefined {
  return file === undefined || line === undefined ? file : `${file}:${line}`;
}

function printRoutes(routes: readonly ExplainedRoute[], style: Style): string[] {
  if (routes.length === 0) return ["(there are none)"];
  const width = routes.reduce((most, { id }) => Math.max(most, id.length), 0);
  return routes.map((route) => {
    const { id, verdict, reasons } = route;
    const why = reasons
      .map(({ aspect, message }) => (aspect === "order" ? message : `${aspect}: ${message}`))
      .join("; ");
    return style(
      looks[verdict],
      escapeControls(`${marks[verdict]} ${id.padEnd(width)}  ${describeRoute(route)}: ${why}${placeBehind(route)}`),
    );
  });
}

function placeBehind(route: ExplainedRoute): string {
  const place = describePlace(route);
  return place === undefined ? "" : ` (${place})`;
}

/** What a route takes, in the words of the configuration. */
function describeRoute({ kind, methods, host, upstreamPathTemplate, priority }: ExplainedRoute): string {
  const parts = [
    methods.join(","),
    `${host ?? ""}${upstreamPathTemplate}`,
    kind === "dynamic" ? "(behind all others)" : priority === 1 ? "" : `(priority ${priority})`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function printPolicy({ title, lines: [brief, ...more] }: Policy): string[] {
  return [`${title}: ${brief}`, ...more.map((line) => `  ${line}`)].map(escapeControls);
}

function printCache(cache: Explanation["cache"]): string[] {
  if (cache === undefined) return [];
  const { isUsed, reason, toldApartBy } = cache;
  if (!isUsed) return [escapeControls(`never: ${reason}`)];
  return [
    "it may be answered by what was kept; answers are told apart by",
    ...toldApartBy.map((one) => `  ${one}`),
  ].map(escapeControls);
}

function printPart({ askedFor, forwarded, refusal, access, policies, cache }: ExplainedPart): string[] {
  const asked = askedFor === undefined ? [] : [`asked for ${askedFor}`];
  const limits = policies.map(({ title, lines: [brief] }) => `${title}: ${brief}`);
  const kept = cache === undefined || cache.isUsed ? [] : [`from the cache never: ${cache.reason}`];
  const told = [...asked, `who may come in: ${access.summary}`, ...limits, ...kept].map(escapeControls);
  if (refusal !== undefined) return [...told, `refused: ${refusal.status} (${refusal.code})`, ...printRefusal(refusal)];
  return [...told, ...(forwarded === undefined ? [] : printForward(forwarded))];
}

function printPlaceholders(placeholders: readonly ExplainedPlaceholder[]): string[] {
  return placeholders.map(({ name, value, decoded, from }) => {
    const meaning = decoded === value ? "" : `, decoded ${JSON.stringify(decoded)}`;
    return escapeControls(`{${name}} = ${JSON.stringify(value)}${meaning}, from the ${from}`);
  });
}

function printRefusal({ message, rule }: ExplainedRefusal): string[] {
  return [message, rule].map(escapeControls);
}

function printForward({ method, url, otherOrigins, balancer, headers }: ExplainedForward): string[] {
  const others = otherOrigins.length === 0 ? [] : [`(or to ${otherOrigins.join(", ")}: ${balancer})`];
  return [`${method} ${url}`, ...others].map(escapeControls).concat(printHeaders(headers));
}

function printHeaders(headers: ExplainedForward["headers"]): string[] {
  return Object.entries(headers).map(([name, value]) => escapeControls(`${name}: ${String(value)}`));
}

function printMetadata(metadata: readonly ExplainedMetadata[]): string[] {
  return metadata.map((entry) => {
    const origin = entry.from === "global" ? "from GlobalConfiguration" : "from the route";
    const replaced =
      entry.replaces === undefined ? "" : `, instead of ${JSON.stringify(entry.replaces)} of GlobalConfiguration`;
    return escapeControls(`${JSON.stringify(entry.key)} = ${JSON.stringify(entry.value)}, ${origin}${replaced}`);
  });
}
