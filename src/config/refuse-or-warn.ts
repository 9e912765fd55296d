import { ConfigError, type ConfigProblem } from "../errors.ts";
import { chooseLogger, type Logger } from "../logging/logger.ts";
import { placesOf } from "../capabilities/authentication/schemes/places-of-scheme.ts";
import { rememberCredentialNames } from "../secrets/credentials-of-schemes.ts";
import { isWrittenIn, rememberVariableSecrets } from "../secrets/variable-secrets.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { createGatewayConfig, type GatewayConfig } from "./gateway-config.ts";
import type { ParseOptions } from "./parse-options.ts";
import { foldFindings } from "./problems/fold-findings.ts";
import { type Origin, textOf } from "./problems/origin.ts";
import { printProblems, problemLine, toProblem } from "./problems/print-problems.ts";
import { isError, type Finding } from "./problems/problem-list.ts";
import type { Configuration } from "./read/read-configuration.ts";

/** Logs what is doubtful, refuses what cannot be used, and makes the configuration of the rest. */
export function* conclude(
  {
    routes = [],
    aggregates = [],
    endpoints = [],
    global = {},
    findings,
  }: Partial<Configuration> & Pick<Configuration, "findings">,
  origin: Origin,
  options: ParseOptions,
): Steps<GatewayConfig> {
  const sorted = yield* foldFindings(findings.toSorted((one, other) => one.span.start - other.span.start));
  const logger = chooseLogger(options.logger);
  const doubtful = sorted.filter((finding) => !isError(finding));
  const warnings = yield* toProblems(doubtful, origin, logger.warn);
  const errors = sorted.filter(isError);
  if (errors.length > 0) return yield* refuseStepwise(errors, origin, options);
  const config = createGatewayConfig({ routes, aggregates, endpoints, global }, Object.freeze(warnings));
  const owners = [config, ...routes, ...aggregates];
  rememberCredentialNames(owners, Object.values(global.AuthenticationSchemes ?? {}).map(placesOf));
  const { secrets } = origin;
  const shared = secrets.filter((secret) => isWrittenIn(global, secret));
  rememberVariableSecrets(owners, secrets, shared);
  return config;
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
    const { source, start } = textOf(finding.span, origin);
    if (source !== undefined) yield* source.readUpTo(finding.span.start - start);
    if (source !== undefined && isError(finding)) yield* source.mask();
    const problem = toProblem(finding, origin);
    log(problem, problemLine(problem));
    problems.push(problem);
  }
  return problems;
}
