import { GatewayError } from "../errors.ts";
import type { Substitute } from "../json/variable-fault.ts";
import type { Logger } from "../logging/logger.ts";
import type { OptionNames } from "../options/refuse-unknown-options.ts";
import { createSubstitute, type Environment } from "./read/fill-in-variables.ts";
import type { ReaderOptions } from "./read/read-configuration.ts";
import type { FileView } from "./read/reading.ts";

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

/** What the options mean to a reader of nodes. */
export function readerOptionsOf(options: ParseOptions, view: FileView, secrets: ReadonlySet<string>): ReaderOptions {
  return { acknowledged: acknowledgedIn(options), isLinting: options.lint === true, view, secrets };
}

/** What puts variables into texts; values that may not be shown are added to the secrets. */
export function substituteIn({ environment }: ParseOptions, secrets: Set<string>): Substitute | undefined {
  return environment && createSubstitute(environment, (value) => secrets.add(value));
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
