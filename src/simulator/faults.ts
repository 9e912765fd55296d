import { statusOfReason, type Reason } from "./reasons.ts";

/** What a faulty replica answers; a client sees it only where the naming service does not resolve again. */
const faultyAnswers = {
  "404-without-header": { status: 404, reason: "Not Found" },
  "410": { status: 410, reason: "Gone" },
  "503": { status: 503, reason: "Service Unavailable" },
} as const;

const faultKinds: readonly string[] = [
  ...Object.keys(faultyAnswers),
  "primary-moving",
  "dropped-socket",
  "slow-answer",
  "resolve-error",
];

/** A fault made on purpose; `times` is how often it strikes, by default until it is cleared. */
export type Fault = Readonly<{ times?: number | undefined }> &
  (
    | Readonly<{ kind: keyof typeof faultyAnswers }>
    /** The partition has no primary at the moment. */
    | Readonly<{ kind: "primary-moving" }>
    /** The replica closes the connection instead of answering. */
    | Readonly<{ kind: "dropped-socket" }>
    /** The replica answers this many seconds late. */
    | Readonly<{ kind: "slow-answer"; seconds: number }>
    /** The resolution itself fails. */
    | Readonly<{ kind: "resolve-error"; reason: Reason }>
  );

/** The faults of all services, by registered name. */
export type Faults = Readonly<{
  set: (service: string, fault: Fault) => void;
  clear: (service?: string) => void;
  /** The fault a service has right now, if it is of one of these kinds; counts as one strike. */
  strike: <Kind extends Fault["kind"]>(
    service: string,
    kinds: readonly Kind[],
  ) => Extract<Fault, { kind: Kind }> | undefined;
}>;

/** Makes the switches; a service has at most one fault, the last one set. */
export function createFaults(): Faults {
  const active = new Map<string, { fault: Fault; left: number }>();
  return {
    set(service, fault) {
      checkFault(fault);
      active.set(service, { fault, left: fault.times ?? Infinity });
    },
    clear(service) {
      if (service === undefined) active.clear();
      else active.delete(service);
    },
    strike(service, kinds) {
      const found = active.get(service);
      if (found === undefined || !isOfKind(found.fault, kinds)) return undefined;
      found.left -= 1;
      if (found.left <= 0) active.delete(service);
      return found.fault;
    },
  };
}

/** What a replica with such a fault answers; undefined for faults that are no answer. */
export function faultyAnswer(fault: Fault): Readonly<{ status: number; reason: string }> | undefined {
  return fault.kind in faultyAnswers ? faultyAnswers[fault.kind as keyof typeof faultyAnswers] : undefined;
}

function isOfKind<Kind extends Fault["kind"]>(
  fault: Fault,
  kinds: readonly Kind[],
): fault is Extract<Fault, { kind: Kind }> {
  return (kinds as readonly string[]).includes(fault.kind);
}

function checkFault(fault: Fault): void {
  const received = JSON.stringify(fault);
  if (!faultKinds.includes(fault.kind)) {
    throw new TypeError(
      `Invalid fault: expected "kind" to be one of ${JSON.stringify(faultKinds)}, received ${received}`,
    );
  }
  if (fault.kind === "slow-answer" && !(fault.seconds >= 0)) {
    throw new TypeError(`Invalid fault "slow-answer": expected "seconds" from 0 up, received ${received}`);
  }
  if (fault.kind === "resolve-error" && !Object.hasOwn(statusOfReason, fault.reason)) {
    const known = JSON.stringify(Object.keys(statusOfReason));
    throw new TypeError(`Invalid fault "resolve-error": expected "reason" to be one of ${known}, received ${received}`);
  }
  if (fault.times !== undefined && !(fault.times > 0)) {
    throw new TypeError(`Invalid fault: expected "times" to be greater than 0, received ${received}`);
  }
}
