import type { CompiledConfiguration } from "../../compiling/compiled-configuration.ts";
import type { Live } from "../../compiling/live.ts";
import type { KeptAmount } from "../../stores/answer-store.ts";
import { runInSlices } from "../../time-slices.ts";
import type { RouteCounts } from "../route-counts.ts";
import type { Second, Timeline } from "../last-five-minutes.ts";
import { type HostRows, listHostRows } from "./host-rows.ts";
import { type CountedPolicies, countPolicies, listPolicies, type Policies } from "./policy-rows.ts";
import { listReloadRows, type ReloadRow } from "./reload-rows.ts";
import { listServiceRows, type ServiceRow } from "./service-rows.ts";

/** How a gateway is doing in one process: plain values, which other processes can be told. */
export type GatewayState = CountedPolicies &
  Readonly<{
    /** By this process's clock. */
    now: number;
    seconds: readonly Second[];
    hosts: HostRows;
    /** Where counts live, in words. */
    store: Readonly<{ name: string; isAway: boolean }>;
    kept: KeptAmount | undefined;
    services: readonly ServiceRow[];
    reloads: readonly ReloadRow[];
  }>;

/** What is counted while an inspector watches. */
export type Activity = Readonly<{ timeline: Timeline; counts: RouteCounts }>;

/** Makes the function that describes how a gateway is doing; nothing is looked at before it is called. */
export function createDescribeState(live: Live, { timeline, counts }: Activity): () => Promise<GatewayState> {
  const policiesOf = createPoliciesOf();

  return async function describeState() {
    const { present, mechanisms } = live;
    const policies = await policiesOf(present);
    const now = Date.now();
    return {
      ...countPolicies(policies, counts.of),
      now,
      seconds: timeline.read(now),
      hosts: await runInSlices(listHostRows(present)),
      store: mechanisms.store.place(),
      kept: policies.caches.length === 0 ? undefined : mechanisms.answers.amount?.(),
      services: listServiceRows(live),
      reloads: listReloadRows(live),
    };
  };
}

/** What a configuration asks for does not change: it is listed once. */
function createPoliciesOf(): (present: CompiledConfiguration) => Promise<Policies> {
  const listed = new WeakMap<CompiledConfiguration, Promise<Policies>>();
  return function policiesOf(present) {
    let policies = listed.get(present);
    if (policies === undefined) listed.set(present, (policies = runInSlices(listPolicies(present))));
    return policies;
  };
}
