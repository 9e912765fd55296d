import { ConfigError, GatewayError } from "../errors.ts";
import { chooseLogger, type Logger } from "../logger.ts";
import { createGatewayConfig, type GatewayConfig } from "./gateway-config.ts";
import { nowhere, type JsonNode, type Span } from "./json-node.ts";
import { readJsonText } from "./json-text.ts";
import { readJsonValue } from "./json-value.ts";
import { printProblems, problemLine, toProblem, type Origin } from "./print-problems.ts";
import { isError, type Finding } from "./problem-list.ts";
import { createConfigurationReader, type Configuration } from "./read-configuration.ts";
import { createSourceText } from "./source-text.ts";

/** How a configuration is read. */
export type ParseOptions = Readonly<{
  /** The name of the file in messages. */
  file?: string | undefined;
  /** Where problems and warnings go; `console` by default, `false` for nowhere. */
  logger?: Logger | false | undefined;
  /** Keys of Ocelot that guard routes or add some, and that this gateway may start without. */
  acknowledgeUnsupported?: readonly string[] | undefined;
}>;

/** Reads a configuration, an object or JSON text; throws one {@link ConfigError} that lists every problem. */
export function parseConfig(input: unknown, options: ParseOptions = {}): GatewayConfig {
  return typeof input === "string" ? parseText(input, options) : parseObject(input, options);
}

/** Refuses a configuration: logs each error once and throws them as one. */
export function refuse(findings: readonly Finding[], origin: Origin, options: ParseOptions, cause?: unknown): never {
  const logger = chooseLogger(options.logger);
  const problems = findings.map((finding) => toProblem(finding, origin));
  for (const problem of problems) logger.error(problem, problemLine(problem));
  throw new ConfigError(printProblems(findings, origin), Object.freeze(problems), cause);
}

function parseText(input: string, options: ParseOptions): GatewayConfig {
  const reader = createConfigurationReader(acknowledgedIn(options));
  const text = input.startsWith("\ufeff") ? input.slice(1) : input;
  const { root, faults } = readJsonText(text, reader.readItem);
  const findings = faults.map((fault) => ({ ...fault, path: "" }));
  const configuration = root && reader.readRest(root, faults.length === 0);
  const kept =
    configuration?.findings.filter(
      isSure(
        root!,
        faults.map(({ span }) => span),
      ),
    ) ?? [];
  const origin = { file: options.file, source: createSourceText(text) };
  return conclude({ ...configuration, findings: [...findings, ...kept] }, origin, options);
}

function parseObject(input: unknown, options: ParseOptions): GatewayConfig {
  const reader = createConfigurationReader(acknowledgedIn(options));
  const { root, faults } = readJsonValue(input, reader.readItem);
  const findings = faults.map((fault) => ({ ...fault, span: nowhere }));
  const isReadable = faults.every(({ path }) => path !== "");
  const configuration = isReadable ? reader.readRest(root, true) : { findings: [] };
  const origin = { file: options.file, source: undefined };
  return conclude({ ...configuration, findings: [...findings, ...configuration.findings] }, origin, options);
}

function acknowledgedIn({ acknowledgeUnsupported: names = [] }: ParseOptions): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  const expected = 'expected a list of key names, such as ["RateLimitOptions"]';
  const received = JSON.stringify(names);
  throw new GatewayError(
    "option-invalid",
    `Invalid option "acknowledgeUnsupported": ${expected}, received ${received}`,
  );
}

function conclude(
  { routes = [], global = {}, findings }: Partial<Configuration> & Pick<Configuration, "findings">,
  origin: Origin,
  options: ParseOptions,
): GatewayConfig {
  const sorted = findings.toSorted((one, other) => one.span.start - other.span.start);
  const logger = chooseLogger(options.logger);
  const warnings = sorted.filter((finding) => !isError(finding)).map((finding) => toProblem(finding, origin));
  for (const warning of warnings) logger.warn(warning, problemLine(warning));
  const errors = sorted.filter(isError);
  if (errors.length > 0) refuse(errors, origin, options);
  return createGatewayConfig(routes, global, Object.freeze(warnings));
}

/**
 * Where a text is broken, only what is said of a route without a fault in it can be trusted:
 * the rest may be about what the parser made of the pieces.
 */
function isSure(root: JsonNode, faults: readonly Span[]): (finding: Finding) => boolean {
  if (faults.length === 0) return () => true;
  const sound = soundRoutes(root, faults);
  return ({ span }) => sound.some((route) => route.start <= span.start && span.end <= route.end);
}

function soundRoutes(root: JsonNode, faults: readonly Span[]): readonly Span[] {
  if (root.kind !== "object") return [];
  const lists = root.members.filter(({ name }) => /^(re)?routes$/i.test(name)).map(({ node }) => node);
  const routes = lists.flatMap((node) => (node.kind === "array" ? node.items.map(({ span }) => span) : []));
  return routes.filter((route) => !faults.some((fault) => fault.start <= route.end && route.start <= fault.end));
}
