import type { Selector } from "./gateway-query.ts";
import type { ReplicaSet } from "./place-service.ts";
import type { Reason, Refusal } from "./reasons.ts";

type StatefulSet = Extract<ReplicaSet, { isStateful: true }>;

const candidatesFor: Readonly<Record<Selector, (replicas: StatefulSet) => readonly (string | undefined)[]>> = {
  primary: ({ primary }) => [primary],
  secondary: ({ secondaries }) => secondaries,
  any: ({ primary, secondaries }) => [primary, ...secondaries],
};

const whenNoneIsLeft: Readonly<Record<Selector, Reason>> = {
  primary: "FABRIC_E_SERVICE_OFFLINE",
  secondary: "NotFound",
  any: "FABRIC_E_SERVICE_OFFLINE",
};

/** The address of a replica that fits the selector, by chance where several do. */
export function chooseReplica(replicas: ReplicaSet, selector: Selector): Readonly<{ address: string }> | Refusal {
  if (!replicas.isStateful && selector !== "primary") return { refused: "E_INVALIDARG" };
  const candidates = replicas.isStateful ? candidatesFor[selector](replicas) : replicas.instances;
  const address = oneOf(candidates.filter((candidate) => candidate !== undefined));
  return address === undefined ? { refused: whenNoneIsLeft[selector] } : { address };
}

function oneOf(addresses: readonly string[]): string | undefined {
  return addresses[Math.floor(Math.random() * addresses.length)];
}
