import { attempt } from "../unattended/attempt.ts";
import { digestOf, digestText, type GatewayConfig } from "../config/gateway-config.ts";
import { rereadConfigText } from "../config/load-config.ts";
import { parseOptionNames, type ParseOptions, parseText } from "../config/parse-config.ts";
import { GatewayError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import { certificateFilesOf } from "../compiling/certificate-files.ts";
import type { RouteChanges } from "../compiling/compare-routes.ts";
import { type Live, liveOf, type ReloadOptions } from "../compiling/live.ts";
import { isPassing } from "./is-passing.ts";
import { noteFailure } from "./reload.ts";
import { chooseLogger, type Logger } from "../logging/logger.ts";
import { describeValue } from "../options/describe-value.ts";
import { toMilliseconds } from "../capabilities/limits/route-limits.ts";
import { type OptionNames, refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { runInSlices } from "../time-slices.ts";
import { watchFile } from "./watch-file.ts";

/** What {@link watchConfig} takes: how the file is read, what a reload may do, and who is told. */
export type WatchOptions = ParseOptions &
  ReloadOptions &
  Readonly<{
    /** Changes the text before it is read, for instance from another format to JSON. */
    transform?: ((text: string) => string) | undefined;
    /** Called after each reload. */
    reloaded?: ((changes: RouteChanges) => void) | undefined;
    /** Called when the file cannot be read or used; the configuration before stays in force. */
    failed?: ((error: unknown) => void) | undefined;
    /** Seconds between two looks at a file of which the file system tells nothing; 5 by default. */
    interval?: number | undefined;
  }>;

/** Watches a configuration until it is closed. */
export type ConfigWatcher = Readonly<{
  /** Reads the file now and reloads, also where nothing has changed: certificates are read anew. */
  check: () => Promise<void>;
  close: () => void;
}>;

const defaultInterval = 5;

const watchOptionNames: OptionNames<WatchOptions> = {
  ...parseOptionNames,
  allowNoRoutes: true,
  transform: true,
  reloaded: true,
  failed: true,
  interval: true,
};

/** Reloads a gateway whenever its configuration file or a certificate that it names changes; a bad file is logged, and the last good one stays. */
export function watchConfig(path: string, gateway: Gateway, options: WatchOptions = {}): ConfigWatcher {
  const live = requireLive(gateway);
  refuseUnknownOptions(options, watchOptionNames, "watchConfig()");
  const parseOptions = { ...options, file: options.file ?? path };
  // It may be asynchronous, though its type does not say so.
  const transform: (text: string) => string | Promise<string> = options.transform ?? ((text) => text);
  const interval = readInterval(options.interval);
  const logger = chooseLogger(options.logger);
  const tell = createTell(logger);
  let known = digestOf(live.present.config);
  let last: Promise<void> = Promise.resolve();
  const state = { isClosed: false };
  const watcher = watchFile(path, interval, ({ ofCompanions }) => reloadOnce(ofCompanions));
  void watcher.accompany(certificateFilesOf(live.present.config, live.options));
  return { check: () => reloadOnce(true), close };

  /** One after the other, as a signal may come while the file is read. */
  function reloadOnce(isForced: boolean): Promise<void> {
    last = last.then(() => reload(isForced));
    return last;
  }

  async function reload(isForced: boolean): Promise<void> {
    if (gateway.health().status === "closing") close();
    const config = state.isClosed ? undefined : await readConfig(isForced).catch(noteUnreadable);
    if (config === undefined || state.isClosed) return;
    // Before they are read: whatever happens to them from here on is worth another try.
    await watcher.accompany(certificateFilesOf(config, live.options));
    await gateway.reload(config, options).then(tell(options.reloaded), noteRefused);
  }

  /** Undefined where the text is the one that was read before. */
  async function readConfig(isForced: boolean): Promise<GatewayConfig | undefined> {
    const before = known;
    known = undefined;
    const text = await transform(await rereadConfigText(path, parseOptions));
    known = digestText(text);
    return known === before && !isForced ? undefined : runInSlices(parseText(text, parseOptions));
  }

  /** The cause may be mended outside the file: then the same text is worth another try. */
  function noteRefused(error: unknown): void {
    known = undefined;
    noteFailed(error);
  }

  function noteUnreadable(error: unknown): undefined {
    if (state.isClosed) return;
    noteFailure(live, error, logger);
    noteFailed(error);
  }

  function noteFailed(error: unknown): void {
    if (isPassing(error)) watcher.tellAgain();
    tell(options.failed)(error);
  }

  function close(): void {
    state.isClosed = true;
    watcher.close();
  }
}

type Callback<Value> = ((value: Value) => void) | undefined;

function createTell(logger: Logger): <Value>(callback: Callback<Value>) => (value: Value) => void {
  return (callback) =>
    function tellSafely(value) {
      attempt({ logger, failure: "A callback of watchConfig failed." }, () => callback?.(value));
    };
}

function readInterval(interval: unknown = defaultInterval): number {
  if (typeof interval === "number" && interval > 0) return toMilliseconds(interval);
  throw new GatewayError(
    "option-invalid",
    `Invalid option "interval" of watchConfig(): expected seconds above 0, received ${describeValue(interval)}.`,
  );
}

function requireLive(gateway: Gateway): Live {
  const live = typeof gateway === "function" ? liveOf(gateway) : undefined;
  if (live !== undefined) return live;
  throw new GatewayError(
    "option-invalid",
    'watchConfig() takes a path and the gateway that createGateway() returned: watchConfig("gateway.json", gateway).',
  );
}
