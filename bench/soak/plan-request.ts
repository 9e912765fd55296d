import { pick, type Random } from "./random.ts";

/** What a client does, and what its upstream does with it. */
export type Kind =
  | ("json" | "secret" | "form" | "posted" | "text" | "down" | "up" | "unmatched" | "hostile" | "websocket")
  | ("reset" | "cut" | "stall" | "slow reader" | "stalled upload");

/** One planned request; its number comes back with its answer, and stands in its line of the log. */
export type Plan = Readonly<{
  kind: Kind;
  number: number;
  /** Which of the gateway's ports is asked, from 0 to 1. */
  place: number;
  /** The length of a body, or of a value. */
  size: number;
  /** Milliseconds after which the client goes away; undefined for one that stays. */
  abortAfter: number | undefined;
}>;

const smallBody = 2_000;
const largestValue = 6_400;
/** More than a queue or a socket's buffer holds. */
const largeBody = 400_000;
/** What a body parser takes. */
const parsedBody = 60_000;

type Share = Readonly<{ kind: Kind; share: number; largest: number }>;

const shares: readonly Share[] = [
  { kind: "json", share: 0.3, largest: 0 },
  { kind: "secret", share: 0.12, largest: largestValue },
  { kind: "form", share: 0.04, largest: parsedBody },
  { kind: "posted", share: 0.06, largest: parsedBody },
  { kind: "text", share: 0.04, largest: largeBody },
  { kind: "down", share: 0.14, largest: smallBody },
  { kind: "up", share: 0.14, largest: smallBody },
  { kind: "unmatched", share: 0.02, largest: 0 },
  { kind: "websocket", share: 0.02, largest: smallBody },
  { kind: "hostile", share: 0.048, largest: 0 },
  { kind: "reset", share: 0.025, largest: 0 },
  { kind: "cut", share: 0.025, largest: 0 },
  { kind: "stall", share: 0.01, largest: 0 },
  { kind: "slow reader", share: 0.002, largest: largeBody },
  { kind: "stalled upload", share: 0.0005, largest: 0 },
  { kind: "down", share: 0.002, largest: 1_000_000 },
  { kind: "up", share: 0.002, largest: 1_000_000 },
  { kind: "down", share: 0.00002, largest: 100_000_000 },
  { kind: "up", share: 0.00002, largest: 100_000_000 },
];

const leaving = 0.1;
const longestStay = 20;

/** One request in ten is left early, one in seventeen meets an upstream that fails; bodies go up to 100 MB. */
export function planRequest(number: number, random: Random): Plan {
  const { kind, largest } = draw(random);
  const size = largest === 100_000_000 ? largest : Math.floor(random() * largest);
  const abortAfter = random() < leaving ? random() * longestStay : undefined;
  return { kind, number, place: random(), size, abortAfter };
}

/** One that has to succeed, of every kind that a process opens something for. */
export function planWarmUp(number: number, random: Random): Plan {
  const kind = pick(["json", "posted", "text", "down", "up", "websocket"] as const, random);
  return { kind, number, place: random(), size: parsedBody, abortAfter: undefined };
}

function draw(random: Random): Share {
  let rest = random();
  return shares.find(({ share }) => (rest -= share) < 0) ?? shares[0]!;
}
