import { nowhere, textNode } from "../json/json-node.ts";
import { readJsonText } from "../json/json-text.ts";
import { readJsonValue } from "../json/json-value.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { conclude } from "./refuse-or-warn.ts";
import { digestText, type GatewayConfig, rememberDigest } from "./gateway-config.ts";
import { keepSure, withoutUnset } from "./drop-unsure-findings.ts";
import { parseOptionNames, type ParseOptions, readerOptionsOf, substituteIn } from "./parse-options.ts";
import { createOrigin } from "./problems/origin.ts";
import { hiddenUnder } from "./problems/hidden-values.ts";
import { createSourceText } from "./problems/source-text.ts";
import { withoutValues } from "./problems/without-values.ts";
import { createConfigurationReader } from "./read/read-configuration.ts";
import { viewOneFile } from "./read/reading.ts";

/** Reads a configuration, an object or JSON text; throws one {@link ConfigError} that lists every problem. */
export function parseConfig(input: unknown, options: ParseOptions = {}): GatewayConfig {
  refuseUnknownOptions(options, parseOptionNames, "parseConfig()");
  return runAtOnce(typeof input === "string" ? parseText({ text: input }, options) : parseObject(input, options));
}

/** A text of a configuration, and the directory in which it lies if it lies anywhere. */
type LyingText = Readonly<{ text: string; directory?: string }>;

/** Reads a configuration from JSON text as `parseConfig` does, in steps between which other work can be done. */
export function* parseText({ text: input, directory }: LyingText, options: ParseOptions): Steps<GatewayConfig> {
  const { file } = options;
  const secrets = new Set<string>();
  const reader = createConfigurationReader(readerOptionsOf(options, viewOneFile(directory), secrets));
  const placed = { text: withoutMark(input), start: 0 };
  const { root, faults, variables } = yield* readJsonText(placed, reader.readItem, substituteIn(options, secrets));
  const findings = [...faults, ...variables].map((fault) => ({ ...fault, path: "" }));
  const configuration = root && (yield* reader.readRest(root, findings.length === 0));
  const kept = yield* keepSure(withoutUnset(configuration?.findings ?? [], variables), root, faults);
  const origin = createOrigin(file, [{ file, source: createSourceText(placed.text), start: 0 }], [...secrets]);
  const config = yield* conclude({ ...configuration, findings: [...findings, ...kept] }, origin, options);
  rememberDigest(config, digestText(input));
  return config;
}

/** A text without its byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function* parseObject(input: unknown, options: ParseOptions): Steps<GatewayConfig> {
  const secrets = new Set<string>();
  const reader = createConfigurationReader(readerOptionsOf(options, viewOneFile(undefined), secrets));
  const { root, faults } = readJsonValue(input, reader.readItem, substituteIn(options, secrets));
  const findings = faults.map(({ code, path, message, quotes }) => {
    const hidden = quotes === undefined ? [] : hiddenUnder(quotes.keys, textNode(quotes.text, quotes.text, nowhere));
    return { code, path, message: withoutValues(message, hidden), span: nowhere };
  });
  const isReadable = faults.every(({ path }) => path !== "");
  const configuration = isReadable ? yield* reader.readRest(root, true) : { findings: [] };
  const all = [...findings, ...configuration.findings];
  return yield* conclude({ ...configuration, findings: all }, createOrigin(options.file, [], [...secrets]), options);
}
