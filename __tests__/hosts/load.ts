import http from "node:http";

/** What came of the requests of a load. */
export type Load = Readonly<{
  /** How many were answered in which way: the name of the host, or the status. */
  answers: () => Readonly<Record<string, number>>;
  /** Waits until so many more have been answered; gives what was answered meanwhile. */
  more: (requests: number) => Promise<Readonly<Record<string, number>>>;
  /** Waits until what is under way now has been answered. */
  settle: () => Promise<void>;
  stop: () => Promise<void>;
}>;

/** How much is asked: by so many clients at a time, some of which leave before they are answered. */
export type LoadSize = Readonly<{ clients: number; leaving?: number; paths: readonly string[] }>;

/** Asks at a port again and again, each client one path after the other. */
export function startLoad(port: number, { clients, leaving = 0, paths }: LoadSize): Load {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  let total = 0;
  let isOver = false;
  let begun = 0;
  const underWay = new Set<number>();
  const staying = Array.from({ length: clients }, (_, index) => askOn(index));
  const leavers = Array.from({ length: leaving }, (_, index) => leaveOn(index));
  return { answers: () => Object.fromEntries(counts), more, settle, stop };

  async function askOn(first: number): Promise<void> {
    for (let round = first; !isOver; round += 1) {
      const number = (begun += 1);
      underWay.add(number);
      const answer = await ask(port, paths[round % paths.length]!, agent);
      underWay.delete(number);
      note(answer);
    }
  }

  async function leaveOn(first: number): Promise<void> {
    for (let round = first; !isOver; round += 1) await leave(port, paths[round % paths.length]!, round % 20);
  }

  function note(answer: string): void {
    total += 1;
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
    for (const look of waiting) look();
  }

  function settle(): Promise<void> {
    const last = begun;
    return until(() => [...underWay].every((number) => number > last));
  }

  function until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isTrue()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
    });
  }

  async function more(requests: number): Promise<Readonly<Record<string, number>>> {
    const before = new Map(counts);
    const enough = total + requests;
    await until(() => total >= enough);
    const meanwhile = [...counts].map(([answer, count]) => [answer, count - (before.get(answer) ?? 0)] as const);
    return Object.fromEntries(meanwhile.filter(([, count]) => count > 0));
  }

  async function stop(): Promise<void> {
    isOver = true;
    await Promise.all([...staying, ...leavers]);
    agent.destroy();
  }
}

/** The text of a good answer, else the status, else what became of the connection. */
function ask(port: number, path: string, agent: http.Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = http.get({ host: "127.0.0.1", port, path, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve(answer.statusCode === 200 ? text : String(answer.statusCode)));
      answer.on("error", () => resolve("broken off"));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** Leaves after some milliseconds, answered or not. */
function leave(port: number, path: string, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = http.get({ host: "127.0.0.1", port, path, agent: false }, (answer) => answer.resume());
    sent.on("error", () => undefined).on("close", resolve);
    setTimeout(() => sent.destroy(), milliseconds);
  });
}
