import { ConfigError, type ConfigProblem, GatewayError } from "../errors.ts";
import { chooseLogger, type Logger } from "../logging/logger.ts";
import { type OptionNames, refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { placesOf } from "../capabilities/authentication/schemes/places-of.ts";
import { rememberCredentialNames } from "../secrets/credential-names.ts";
import { isWrittenIn, rememberVariableSecrets } from "../secrets/variable-secrets.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { countUpTo } from "./problems/count-up-to.ts";
import { createSubstitute, type Environment } from "./read/environment.ts";
import { foldFindings } from "./problems/fold-findings.ts";
import { createGatewayConfig, digestText, type GatewayConfig, rememberDigest } from "./gateway-config.ts";
import { nowhere, type JsonNode, type Span } from "../json/json-node.ts";
import { type JsonFault, readJsonText, type VariableFinding } from "../json/json-text.ts";
import { readJsonValue } from "../json/json-value.ts";
import type { Substitute } from "../json/substitute.ts";
import { printProblems, problemLine, toProblem, type Origin } from "./problems/print-problems.ts";
import { isError, type Finding } from "./problems/problem-list.ts";
import { createConfigurationReader, type Configuration } from "./read/read-configuration.ts";
import { createSourceText } from "./problems/source-text.ts";

/** How a configuration is read. */
export type ParseOptions = Readonly<{
  /** The name of the file in messages. */
  file?: string | undefined;
  /** Where problems and warnings go; `console` by default, `false` for nowhere. */
  logger?: Logger | false | undefined;
  /** Keys of Ocelot that guard routes or add some, and that this gateway may start without. */
  acknowledgeUnsupported?: readonly string[] | undefined;
  /** Whether to look as well for what is only doubtful, as `waymark check` does: false by default. */
  lint?: boolean | undefined;
  /** What `${NAME}` and `${NAME:-default}` in texts stand for, e.g. `process.env`; without it they are ordinary text. */
  environment?: Environment | undefined;
}>;

/** The names of all of them. */
export const parseOptionNames: OptionNames<ParseOptions> = {
  file: true,
  logger: true,
  acknowledgeUnsupported: true,
  lint: true,
  environment: true,
};

/** Reads a configuration, an object or JSON text; throws one {@link ConfigError} that lists every problem. */
export function parseConfig(input: unknown, options: ParseOptions = {}): GatewayConfig {
  refuseUnknownOptions(options, parseOptionNames, "parseConfig()");
  return runAtOnce(typeof input === "string" ? parseText(input, options) : parseObject(input, options));
}

/** Refuses a configuration: logs each error once and throws them as one. */
export function refuse(findings: readonly Finding[], origin: Origin, options: ParseOptions, cause?: unknown): never {
  return runAtOnce(refuseStepwise(findings, origin, options, cause));
}

function* refuseStepwise(
  findings: readonly Finding[],
  origin: Origin,
  options: ParseOptions,
  cause?: unknown,
): Steps<never> {
  const logger = chooseLogger(options.logger);
  const problems = yield* toProblems(findings, origin, logger.error);
  throw new ConfigError(yield* printProblems(findings, origin), Object.freeze(problems), cause);
}

function* toProblems(
  findings: readonly Finding[],
  origin: Origin,
  log: Logger["error" | "warn"],
): Steps<ConfigProblem[]> {
  const problems: ConfigProblem[] = [];
  for (const finding of findings) {
    yield;
    if (origin.source !== undefined) yield* origin.source.readUpTo(finding.span.start);
    const problem = toProblem(finding, origin);
    log(problem, problemLine(problem));
    problems.push(problem);
  }
  return problems;
}

/** Reads a configuration from JSON text as `parseConfig` does, in steps between which other work can be done. */
export function* parseText(input: string, options: ParseOptions): Steps<GatewayConfig> {
  const reader = createConfigurationReader(acknowledgedIn(options), options.lint === true);
  const text = input.startsWith("\ufeff") ? input.slice(1) : input;
  const secrets = new Set<string>();
  const { root, faults, variables } = yield* readJsonText(text, reader.readItem, substituteIn(options, secrets));
  const findings = [...faults, ...variables].map((fault) => ({ ...fault, path: "" }));
  const configuration = root && (yield* reader.readRest(root, faults.length + variables.length === 0));
  const meant = withoutUnset(configuration?.findings ?? [], variables);
  const kept = yield* keepSure(meant, root, faults);
  const origin = { file: options.file, source: createSourceText(text), secrets: [...secrets] };
  const config = yield* conclude({ ...configuration, findings: [...findings, ...kept] }, origin, options);
  rememberDigest(config, digestText(input));
  return config;
}

function* parseObject(input: unknown, options: ParseOptions): Steps<GatewayConfig> {
  const reader = createConfigurationReader(acknowledgedIn(options), options.lint === true);
  const secrets = new Set<string>();
  const { root, faults } = readJsonValue(input, reader.readItem, substituteIn(options, secrets));
  const findings = faults.map((fault) => ({ ...fault, span: nowhere }));
  const isReadable = faults.every(({ path }) => path !== "");
  const configuration = isReadable ? yield* reader.readRest(root, true) : { findings: [] };
  const origin = { file: options.file, source: undefined, secrets: [...secrets] };
  return yield* conclude({ ...configuration, findings: [...findings, ...configuration.findings] }, origin, options);
}

function substituteIn({ environment }: ParseOptions, secrets: Set<string>): Substitute | undefined {
  return environment && createSubstitute(environment, (value) => secrets.add(value));
}

/** What is said of a text that lacks a variable is said of the variable's name. */
function withoutUnset(findings: readonly Finding[], variables: readonly VariableFinding[]): readonly Finding[] {
  const unset = new Set(variables.map(({ span }) => span.start));
  return unset.size === 0 ? findings : findings.filter(({ span }) => !unset.has(span.start));
}

function acknowledgedIn({ acknowledgeUnsupported: names = [] }: ParseOptions): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  const expected = 'expected a list of key names, such as ["RateLimiting"]';
  const received = JSON.stringify(names);
  throw new GatewayError(
    "option-invalid",
    `Invalid option "acknowledgeUnsupported": ${expected}, received ${received}`,
  );
}

function* conclude(
  { routes = [], global = {}, findings }: Partial<Configuration> & Pick<Configuration, "findings">,
  origin: Origin,
  options: ParseOptions,
): Steps<GatewayConfig> {
  const sorted = yield* foldFindings(findings.toSorted((one, other) => one.span.start - other.span.start));
  const logger = chooseLogger(options.logger);
  const doubtful = sorted.filter((finding) => !isError(finding));
  const warnings = yield* toProblems(doubtful, origin, logger.warn);
  const errors = sorted.filter(isError);
  if (errors.length > 0) return yield* refuseStepwise(errors, origin, options);
  const config = createGatewayConfig(routes, global, Object.freeze(warnings));
  rememberCredentialNames([config, ...routes], Object.values(global.AuthenticationSchemes ?? {}).map(placesOf));
  const { secrets } = origin;
  const shared = secrets.filter((secret) => isWrittenIn(global, secret));
  rememberVariableSecrets([config, ...routes], secrets, shared);
  return config;
}

/**
 * Where a text is broken, only what is said of a route without a fault in it can be trusted:
 * the rest may be about what the parser made of the pieces.
 */
function* keepSure(
  findings: readonly Finding[],
  root: JsonNode | undefined,
  faults: readonly JsonFault[],
): Steps<readonly Finding[]> {
  if (faults.length === 0 || root === undefined) return findings;
  const sound = soundRoutes(
    root,
    faults.map(({ span }) => span),
  );
  const starts = sound.map(({ start }) => start);
  const kept: Finding[] = [];
  for (const finding of findings) {
    yield;
    const route = sound[countUpTo(starts, finding.span.start) - 1];
    if (route !== undefined && finding.span.end <= route.end) kept.push(finding);
  }
  return kept;
}

function soundRoutes(root: JsonNode, faults: readonly Span[]): readonly Span[] {
  if (root.kind !== "object") return [];
  const lists = root.members.filter(({ name }) => /^(re)?routes$/i.test(name)).map(({ node }) => node);
  const routes = lists.flatMap((node) => (node.kind === "array" ? node.items.map(({ span }) => span) : []));
  return routes
    .filter((route) => !faults.some((fault) => fault.start <= route.end && route.start <= fault.end))
    .sort((one, other) => one.start - other.start);
}
