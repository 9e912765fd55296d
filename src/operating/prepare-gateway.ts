import { maskError } from "../secrets/mask-error.ts";
import { createMaskingLogger } from "../secrets/masking-logger.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { tellDefectsTo } from "../unattended/defects.ts";
import { chooseLogger, type Logger } from "../logging/logger.ts";
import type { GatewayOptions } from "../options/options.ts";
import { createHttpProxyMiddlewareEngine } from "../forwarding/engines/http-proxy-middleware.ts";
import { createDiscovery } from "../discovery/discovery.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { createPrepareConfiguration, type PrepareConfiguration } from "../compiling/compiled-configuration.ts";
import { attachObservers } from "./attach-observers.ts";
import { createCondition, createHealth, createStatus, type GatewayHealth } from "./health.ts";
import { createLifecycle, type Lifecycle } from "../exchange/lifecycle.ts";
import type { Live, Purge } from "../compiling/live.ts";
import { createChanges } from "../observing/gateway-changes.ts";
import { memoryStore } from "../stores/memory-store.ts";
import { createGatewayAnswers } from "../stores/where-answers-are-kept.ts";
import type { AnswerStore } from "../stores/answer-store.ts";
import type { Store } from "../stores/store.ts";
import { createStoreHolder, type StoreSurroundings } from "../stores/store-holder.ts";
import { createPurge, createPurgeEverywhere } from "./purge.ts";
import { createLostHosts } from "./degraded-hosts.ts";
import { watchHosts } from "./watch-hosts.ts";
import { createHealthMonitor } from "../capabilities/health-checks/health-monitor.ts";
import { createTellHostChange, healthChange } from "./tell-host-change.ts";
import { createReload, type Reload } from "./reload.ts";

/** What a configuration and the options come to, before the first request. */
type PreparedGateway = Readonly<{
  live: Live;
  logger: Logger;
  lifecycle: Lifecycle;
  reload: Reload;
  health: () => GatewayHealth;
  purge: Purge;
}>;

/** Compiles and checks all that start-up can decide; throws before anything is half-started. */
export function prepareGateway(
  config: GatewayConfig,
  options: GatewayOptions,
  surroundings: StoreSurroundings,
): PreparedGateway {
  // Those of the configuration that is in force, and of the latest one, which may never come to be.
  let secrets = variableSecretsOf(config);
  const logger = createMaskingLogger(chooseLogger(options.logger), () => secrets);
  tellDefectsTo(logger);
  const engine = options.engine ?? createHttpProxyMiddlewareEngine();
  const changes = createChanges(() => live.observers ?? [], logger);
  const stores = createStoreHolder({ ...surroundings, given: options.store, tell: changes.tell, logger });
  const lost = createLostHosts(createTellHostChange(() => live.present, changes.tell, logger));
  const { changed } = lost;
  const discovery = createDiscovery({ logger, changed: (change) => changes.tell({ kind: "registry", ...change }) });
  const answers = createGatewayAnswers(stores.store, createOwnAnswers(options.store ?? surroundings.usual));
  const monitor = createHealthMonitor({ engine, changed: (name, isUp) => changed(healthChange(name, isUp)) });
  const shared = { options, engine, logger, stores, answers, changed, discovery, monitor };
  const compile = createPrepareConfiguration(shared);
  const prepare: PrepareConfiguration = (next, before) => {
    secrets = [...new Set([...variableSecretsOf(before?.config), ...variableSecretsOf(next)])];
    return maskFailures(compile(next, before), secrets);
  };
  const { present, connections, services, settleStore } = runAtOnce(prepare(config));
  connections.settle();
  settleStore();
  const lifecycle = createLifecycle(engine, logger, stores.close);
  for (const { close } of [discovery, monitor]) lifecycle.onClose(close);
  const live: Live = {
    present,
    status: createStatus(lifecycle, discovery.isOpening),
    condition: () => condition(),
    lastFailure: undefined,
    reloads: [],
    mechanisms: { store: stores, answers, discovery },
    observers: options.observers?.length ? options.observers : undefined,
    options,
    onClose: lifecycle.onClose,
    storeBegun: stores.begun,
    prepareReload: (...given) => prepareReload(...given),
    purge: (purged) => createPurge(live, answers)(purged),
    purged: undefined,
  };
  const condition = createCondition(live, lifecycle, changes.degraded, () => lost.find(live.present, monitor));
  services.settle();
  watchHosts(present, monitor);
  attachObservers(live.observers ?? [], live, logger);
  const { reload, prepareReload } = createReload({ live, prepare, lifecycle, engine, logger, monitor });
  return { live, logger, lifecycle, reload, health: createHealth(condition), purge: createPurgeEverywhere(live) };
}

/** A name that only code can supply may come from a variable that no message shows. */
function* maskFailures<Result>(steps: Steps<Result>, secrets: readonly string[]): Steps<Result> {
  try {
    return yield* steps;
  } catch (error) {
    throw maskError(error, secrets);
  }
}

/** Where a gateway keeps answers of its own: in its store, unless that only counts. */
function createOwnAnswers(store: Store): () => AnswerStore {
  const memory = memoryStore();
  return () => store.answers ?? memory.answers;
}
