import http, { type Agent, type ClientRequest } from "node:http";

/** One planned request: what it asks for, and what must come of it. */
export type Plan = Readonly<{
  kind: "down" | "up" | "reset" | "cut" | "stall";
  size: number;
  /** Milliseconds after which the client goes away; undefined for one that stays. */
  abortAfter: number | undefined;
}>;

/** What came of it. */
export type Outcome = "as expected" | "aborted" | `failed: ${string}`;

const block = Buffer.alloc(65_536, "x");

/** A small generator that gives the same numbers for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sizes = [
  { share: 0.9, largest: 2_000 },
  { share: 0.0989, largest: 64_000 },
  { share: 0.00106, largest: 1_000_000 },
  { share: 0.00004, largest: 100_000_000 },
] as const;

/** 10 % leave early, 5 % meet an upstream that resets, 1 % one that stalls; the others move up to 100 MB. */
export function planRequest(random: () => number): Plan {
  const abortAfter = random() < 0.1 ? random() * 20 : undefined;
  const fate = random();
  if (fate < 0.025) return { kind: "reset", size: 0, abortAfter };
  if (fate < 0.05) return { kind: "cut", size: 0, abortAfter };
  if (fate < 0.06) return { kind: "stall", size: 0, abortAfter };
  let draw = random();
  const { largest } = sizes.find(({ share }) => (draw -= share) < 0) ?? sizes[0];
  const size = largest === 100_000_000 ? largest : Math.floor(random() * largest);
  return { kind: random() < 0.5 ? "up" : "down", size, abortAfter };
}

/** Sends a planned request and judges what comes. */
export function sendPlanned(plan: Plan, port: number, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const isUpload = plan.kind === "up";
    const headers = isUpload ? { "content-length": plan.size } : {};
    const req = http.request({
      host: "127.0.0.1",
      port,
      agent,
      method: isUpload ? "POST" : "GET",
      path: `/${plan.kind}/${plan.size}`,
      headers,
    });
    let received = 0;
    let text = "";
    let timer: NodeJS.Timeout | undefined;
    if (plan.abortAfter !== undefined) timer = setTimeout(leave, plan.abortAfter);
    req.on("response", (res) => {
      res.on("data", (chunk: Buffer) => {
        received += chunk.length;
        if (received < 1_000) text += chunk.toString("latin1");
      });
      res.on("error", (error) => finish(judgeError(plan, error)));
      res.on("end", () => finish(judge(plan, res.statusCode!, received, text)));
    });
    req.on("error", (error) => finish(judgeError(plan, error)));
    writeBody(req, isUpload ? plan.size : 0);

    function leave(): void {
      resolve("aborted");
      req.destroy();
    }

    function finish(outcome: Outcome): void {
      clearTimeout(timer);
      resolve(outcome);
    }
  });
}

function judge({ kind, size }: Plan, status: number, received: number, text: string): Outcome {
  const isRight = {
    down: status === 200 && received === size,
    up: status === 200 && text === String(size),
    reset: status === 502,
    stall: status === 504,
    cut: false,
  }[kind];
  return isRight ? "as expected" : `failed: ${kind} ${size} got ${status} with ${received} bytes ${text.slice(0, 120)}`;
}

/** Only a body that its upstream cut may end in a broken connection. */
function judgeError({ kind, size }: Plan, error: Error): Outcome {
  return kind === "cut" ? "as expected" : `failed: ${kind} ${size} got ${error.message}`;
}

function writeBody(req: ClientRequest, size: number): void {
  let left = size;
  writeMore();

  function writeMore(): void {
    while (left > block.length) {
      left -= block.length;
      if (!req.write(block)) {
        req.once("drain", writeMore);
        return;
      }
    }
    req.end(left === 0 ? undefined : block.subarray(0, left));
  }
}
