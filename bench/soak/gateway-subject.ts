import { setTimeout as wait } from "node:timers/promises";
import type { ProcessSettings } from "../../__tests__/everything-on/gateway-process.ts";
import { startGatewayProcess } from "../../__tests__/everything-on/start-process.ts";
import { addDisturbance, countEach, type Held, settleMilliseconds, type Subject } from "./subject.ts";

const pause = 50;

/** The package's gateway in three apps of one process: behind compression, behind body parsers, and alone. */
export async function startGatewaySubject(settings: Omit<ProcessSettings, "responder">): Promise<Subject> {
  const gateway = await startGatewayProcess({ ...settings, responder: "json" });
  const disturbances: string[] = [];
  // One question after the other; a reload may be asked for at any time.
  let last: Promise<unknown> = Promise.resolve();
  const ask: typeof gateway.ask = (question) => {
    const answer = last.then(() => gateway.ask(question));
    last = answer;
    return answer;
  };
  return {
    ports: Object.values(gateway.ports),
    isNamed: true,
    linesOfUnmatched: 0,
    without: [],
    disturbances,
    reload: () => ask("reload"),
    killOne: undefined,
    settle,
    hold,
    linesOf: async () => Buffer.from(await ask("linesOf"), "base64"),
    stop: () => gateway.stop(),
  };

  async function settle(): Promise<void> {
    const deadline = performance.now() + settleMilliseconds;
    for (;;) {
      const { running, matched, lines, disturbances: more } = await ask("state");
      addDisturbance(disturbances, ...more);
      if (running === 0 && matched === lines) return;
      if (performance.now() > deadline) {
        disturbances.push(`${running} under way without a client, ${lines} lines of ${matched} matched requests`);
        return;
      }
      await wait(pause);
    }
  }

  async function hold(): Promise<Held> {
    const { rss, heap, handles, sockets, listeners } = await ask("holdings");
    return { memory: { resident: rss, heap }, counts: { ...listeners, ...countEach(handles), sockets } };
  }
}
