import { setTimeout as wait } from "node:timers/promises";
import type { Faults } from "./faults.ts";
import type { Reason, Refusal } from "./reasons.ts";
import type { OpenRequest } from "./received-requests.ts";
import { findService, findTarget, type Asked } from "./resolve.ts";
import type { FoundService, ServiceTable } from "./service-table.ts";
import { strikeFault } from "./strike-fault.ts";
import type { Target } from "./target.ts";
import { timerMilliseconds, type Timeouts } from "./timeouts.ts";
import type { Settlement, Transport, Verdict } from "./transport.ts";
import { passingReasons } from "./tried-again.ts";

/** What a try needs to know of the cluster. */
export type Cluster = Readonly<{
  services: ServiceTable;
  faults: Faults;
  timeouts: Timeouts;
  secureOnly: boolean;
}>;

/** One request on its way. */
type Exchange = Readonly<{ asked: Asked; log: OpenRequest; signal: AbortSignal }>;

/** Resolves and sends until there is a settlement or the time is used up; rejects when the client has left. */
export async function tryUntilSettled<Answer>(
  cluster: Cluster,
  exchange: Exchange,
  transport: Transport<Answer>,
): Promise<Settlement<Answer>> {
  const seconds = exchange.asked.query.timeoutSeconds || cluster.timeouts.request;
  const timeLeft = countDown(seconds * 1000);
  while (timeLeft() > 0) {
    exchange.signal.throwIfAborted();
    const verdict = await tryOnce(cluster, exchange, transport, timeLeft);
    if (verdict !== "again") return verdict;
    const backoff = cluster.timeouts.backoff * 1000 * Math.random();
    const left = timeLeft();
    await wait(timerMilliseconds(Math.min(backoff, left)), undefined, { signal: exchange.signal });
    // Said here, since a timer may fire a little early: no last try in the rest of a millisecond.
    if (backoff >= left) break;
  }
  return { refused: "FABRIC_E_TIMEOUT" };
}

async function tryOnce<Answer>(
  cluster: Cluster,
  exchange: Exchange,
  transport: Transport<Answer>,
  timeLeft: () => number,
): Promise<Verdict<Answer>> {
  const service = findService(cluster.services, exchange.asked);
  if ("refused" in service) return verdictOnRefusal(service.refused);
  exchange.log.service = service.name;
  const target = findHealthyTarget(cluster, exchange.asked, service);
  if ("refused" in target) return verdictOnRefusal(target.refused);
  const strike = { left: timeLeft(), signal: exchange.signal };
  const sent =
    (await strikeFault(cluster.faults, service.name, transport, strike)) ?? (await transport.send(target, timeLeft()));
  exchange.log.attempts.push({ url: target.url, result: sent.result });
  return sent.verdict;
}

/** As {@link findTarget}, with the faults that strike before anything is sent. */
function findHealthyTarget(cluster: Cluster, asked: Asked, service: FoundService): Target | Refusal {
  const broken = cluster.faults.strike(service.name, ["resolve-error"]);
  if (broken !== undefined) return { refused: broken.reason };
  const target = findTarget(service, asked, cluster.secureOnly);
  const isStateful = service.partitions.some(({ replicas }) => replicas.isStateful);
  if ("refused" in target || !isStateful || asked.query.selector !== "primary") return target;
  const moving = cluster.faults.strike(service.name, ["primary-moving"]);
  return moving === undefined ? target : { refused: "FABRIC_E_SERVICE_OFFLINE" };
}

function verdictOnRefusal(refused: Reason): Refusal | "again" {
  return passingReasons.has(refused) ? "again" : { refused };
}

function countDown(milliseconds: number): () => number {
  const end = performance.now() + milliseconds;
  return () => end - performance.now();
}
