import type { Logger } from "../logging/logger.ts";
import type { Route } from "../route.ts";
import { attempt } from "../unattended/attempt.ts";

/** What may change in a gateway while no request asks for it: what it can be, and what of that is a loss. */
const changeKinds = {
  /** The store that several processes share. */
  store: { states: ["there", "away"], losses: ["away"] },
  /** A host of a route, as its failures let it be asked; what of hosts is lost is read from themselves. */
  breaker: { states: ["closed", "open", "half-open"], losses: [] },
  /** A host, as its health checks find it. */
  health: { states: ["up", "down"], losses: [] },
  /** A provider that tells where services run. */
  registry: { states: ["there", "away"], losses: ["away"] },
  /** The keys by which a scheme verifies tokens. */
  keys: { states: ["there", "away"], losses: ["away"] },
} as const satisfies Readonly<Record<string, { states: readonly string[]; losses: readonly string[] }>>;

type ChangeKind = keyof typeof changeKinds;

/** Something of a gateway has changed that is no request; secrets in its texts are masked. */
export type GatewayChange = {
  [Kind in ChangeKind]: Readonly<{
    kind: Kind;
    state: (typeof changeKinds)[Kind]["states"][number];
    /** Which one of its kind: of hosts the origin. */
    name: string;
    /** Where it has changed for one route alone. */
    route?: Route | undefined;
    /** Milliseconds since 1970. */
    at: number;
  }>;
}[ChangeKind];

type Untimed<Change> = Change extends unknown ? Omit<Change, "at"> : never;

/** What was lost by changes, and has not come back. */
type Losses = Readonly<{
  note: (change: Untimed<GatewayChange>) => void;
  count: (kind: ChangeKind) => number;
  /** Each as it is shown to users. */
  all: () => readonly string[];
}>;

/** Makes a list of what is lost. */
export function createLosses(): Losses {
  const lost = new Map<string, string>();
  return {
    note({ kind, state, name }) {
      const losses: readonly string[] = changeKinds[kind].losses;
      const shown = name === kind ? name : `${kind} ${name}`;
      if (losses.includes(state)) lost.set(shown, kind);
      else lost.delete(shown);
    },
    count: (kind) => [...lost.values()].filter((one) => one === kind).length,
    all: () => [...lost.keys()],
  };
}

/** Tells a change: what the gateway knows of it besides the time. */
export type TellChange = (change: Untimed<GatewayChange>) => void;

/** Changes of one gateway, as they are told, and what of it is lost at the moment. */
type Changes = Readonly<{ tell: TellChange; degraded: () => readonly string[] }>;

/** Of an observer, what hears of changes. */
type ChangeObserver = Readonly<{ changed?: ((change: GatewayChange) => void) | undefined }>;

/** Makes what tells changes to all who observe the gateway at that time. */
export function createChanges(observers: () => readonly ChangeObserver[], logger: Logger): Changes {
  const losses = createLosses();
  const failure = "An observer failed at a change; the others hear of it all the same.";

  return {
    tell(change) {
      losses.note(change);
      const told = { ...change, at: Date.now() };
      for (const observer of observers()) attempt({ logger, failure }, () => observer.changed?.(told));
    },
    degraded: losses.all,
  };
}
