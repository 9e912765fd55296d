import { knownHostsOf } from "../compiling/known-hosts.ts";
import type { Live } from "../compiling/live.ts";
import { conditionOf } from "../hosts/host-condition.ts";
import type { RouteHost } from "../hosts/host.ts";
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
  const gateway: ObservedGateway = { hosts: (mostOfEach) => observeHosts(live, mostOfEach) };
  for (const observer of observers) {
    const detach = attempt({ logger, failure }, () => observer.attached?.(gateway));
    if (typeof detach === "function") live.onClose(detach);
  }
}

function* observeHosts({ present }: Pick<Live, "present">, mostOfEach = Infinity): Generator<ObservedHost> {
  const secrets = variableSecretsOf(present.config);
  for (const compiled of present.compiled) {
    for (const host of firstOf(knownHostsOf(compiled), mostOfEach)) {
      const { weight, inFlight } = host;
      const origin = maskValues(host.origin, secrets);
      yield { route: compiled.route, origin, weight, inFlight, state: conditionOf(host) };
    }
  }
}

/** Of a list that is too long, those first that are not up: alerts go by them. */
function firstOf(hosts: readonly RouteHost[], most: number): readonly RouteHost[] {
  if (hosts.length <= most) return hosts;
  const troubled = hosts.filter((host) => conditionOf(host) !== "up");
  const others = hosts.filter((host) => conditionOf(host) === "up");
  return [...troubled, ...others].slice(0, most);
}
