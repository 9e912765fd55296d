import { knownHostsOf } from "../compiling/known-hosts.ts";
import type { Live } from "../compiling/live.ts";
import { conditionOf } from "../hosts/host-condition.ts";
import type { Logger } from "../logging/logger.ts";
import type { ObservedGateway, ObservedHost } from "../observing/observed-gateway.ts";
import type { RequestObserver } from "../observing/observer.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { attempt } from "../unattended/attempt.ts";

/** Shows a gateway to observers that want to look at it by themselves; as it closes, they learn that it is gone. */
export function attachObservers(
  observers: readonly RequestObserver[],
  live: Pick<Live, "present" | "onClose">,
  logger: Logger,
): void {
  const failure = "An observer could not be attached; requests go on.";
  const gateway: ObservedGateway = { hosts: () => observeHosts(live) };
  for (const observer of observers) {
    const detach = attempt({ logger, failure }, () => observer.attached?.(gateway));
    if (typeof detach === "function") live.onClose(detach);
  }
}

function* observeHosts({ present }: Pick<Live, "present">): Generator<ObservedHost> {
  const secrets = variableSecretsOf(present.config);
  for (const compiled of present.compiled) {
    for (const host of knownHostsOf(compiled)) {
      const { weight, inFlight } = host;
      const origin = maskValues(host.origin, secrets);
      yield { route: compiled.route, origin, weight, inFlight, state: conditionOf(host) };
    }
  }
}
