import { attempt } from "../unattended/attempt.ts";
import { digestOf, filesOf, type GatewayConfig } from "../config/gateway-config.ts";
import type { LoadOptions } from "../config/files/read-sources.ts";
import { digestSources } from "../config/files/sources.ts";
import { loadOptionNames } from "../config/load-config.ts";
import { GatewayError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import { certificateFilesOf } from "../compiling/certificate-files.ts";
import type { RouteChanges } from "../compiling/route-differences.ts";
import { type Live, liveOf, type ReloadOptions } from "../compiling/live.ts";
import { isPassing } from "./passing-file-error.ts";
import { noteFailedReload } from "./reload.ts";
import { chooseLogger, type Logger } from "../logging/logger.ts";
import { describeValue } from "../options/describe-value.ts";
import { toMilliseconds } from "../timer-milliseconds.ts";
import { type OptionNames, refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { parseAnew, readAnew } from "./read-anew.ts";
import type { FileChange } from "./watch-files.ts";
import { watchSources } from "./watch-sources.ts";

/** What {@link watchConfig} takes: how the files are read, what a reload may do, and who is told. */
export type WatchOptions = LoadOptions &
  ReloadOptions &
  Readonly<{
    /** Changes the text of each file before it is read, for instance from another format to JSON. */
    transform?: ((text: string) => string) | undefined;
    /** Called after each reload. */
    reloaded?: ((changes: RouteChanges) => void) | undefined;
    /** Called when the files cannot be read or used; the configuration before stays in force. */
    failed?: ((error: unknown) => void) | undefined;
    /** Seconds between two looks at a file of which the file system tells nothing; 5 by default. */
    interval?: number | undefined;
  }>;

/** Watches a configuration until it is closed. */
export type ConfigWatcher = Readonly<{
  /** Reads the files now and reloads, also where nothing has changed, and where a missing file takes a lock away. */
  check: () => Promise<void>;
  close: () => void;
}>;

const defaultInterval = 5;

const watchOptionNames: OptionNames<WatchOptions> = {
  ...loadOptionNames,
  allowNoRoutes: true,
  transform: true,
  reloaded: true,
  failed: true,
  interval: true,
};

/**
 * Reloads a gateway whenever a file of its configuration, or a certificate that it names, changes; what cannot be used is
 * logged, and the last good configuration stays.
 */
export function watchConfig(
  paths: string | readonly string[],
  gateway: Gateway,
  options: WatchOptions = {},
): ConfigWatcher {
  const live = requireLive(gateway);
  refuseUnknownOptions(options, watchOptionNames, "watchConfig()");
  const interval = readInterval(options.interval);
  const logger = chooseLogger(options.logger);
  const tell = createTell(logger);
  const reading = createReading(live, paths, options);
  let last: Promise<void> = Promise.resolve();
  const state = { isClosed: false };
  const watcher = watchSources({ paths, options, interval }, reloadOnce);
  watcher.expect(filesOf(live.present.config));
  void watcher.accompany(certificateFilesOf(live.present.config, live.options));
  return { check: () => reloadOnce(), close };

  /** One after the other, as a signal may come while the files are read. Without a change somebody asks by hand. */
  function reloadOnce(change?: FileChange): Promise<void> {
    last = last.then(() => reload(change));
    return last;
  }

  async function reload(change: FileChange | undefined): Promise<void> {
    if (live.status() === "closing") close();
    const config = state.isClosed ? undefined : await reading.read(change).catch(noteUnreadable);
    if (config === undefined || state.isClosed) return;
    // Before they are read: whatever happens to them from here on is worth another try.
    await watcher.accompany(certificateFilesOf(config, live.options));
    await gateway.reload(config, options).then(noteReloaded, noteRefused);
  }

  function noteReloaded(changes: RouteChanges): void {
    watcher.expect(filesOf(live.present.config));
    tell(options.reloaded)(changes);
  }

  /** The cause may be mended outside the files: then the same texts are worth another try. */
  function noteRefused(error: unknown): void {
    reading.forget();
    noteFailed(error);
  }

  function noteUnreadable(error: unknown): undefined {
    if (state.isClosed) return;
    noteFailedReload(live, error, logger);
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

/** Reads configurations, and remembers the latest so that it is not read twice. */
type Reading = Readonly<{
  /** Undefined where the texts are those that were read before, or are being changed. */
  read: (change: FileChange | undefined) => Promise<GatewayConfig | undefined>;
  forget: () => void;
}>;

function createReading(live: Live, paths: string | readonly string[], options: WatchOptions): Reading {
  let known = digestOf(live.present.config);
  return { read, forget: () => (known = undefined) };

  async function read(change: FileChange | undefined): Promise<GatewayConfig | undefined> {
    const rereading = { paths, options, change };
    const before = known;
    known = undefined;
    const sources = await readAnew(rereading, options.transform);
    if (sources === undefined) return undefined;
    known = digestSources(sources);
    if (known === before && change?.ofCompanions === false) return undefined;
    return parseAnew(sources, rereading, live.present.config);
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
