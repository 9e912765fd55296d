import { setImmediate as nextTurn } from "node:timers/promises";
import { countEach } from "../../bench/soak/subject.ts";
import { startStrictUpstream } from "../conformance/strict-upstream.ts";
import type { ProcessSettings } from "../everything-on/gateway-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../everything-on/start-process.ts";
import type { Holdings } from "../everything-on/watch-process.ts";
import { type Conversation, type PlacedValue, requestWith } from "./arbitrary-conversation.ts";
import { converse, type NumberedRequest } from "./converse.ts";
import { answerBy, isEarlyBy, type Script } from "./script.ts";

/** A gateway with everything on between clients and an upstream, both of which may be hostile. */
export type Scene = Readonly<{
  gateway: GatewayProcess;
  /** Holds conversations at the same time; tells all that was wrong with the answers, and in the process. */
  hold: (conversations: readonly Conversation[]) => Promise<string[]>;
  /** A request under a number of its own. */
  numbered: (placed: PlacedValue) => NumberedRequest;
  /** Waits until nothing runs any more; tells what was wrong in the process meanwhile. */
  settle: () => Promise<string[]>;
  /** What the process holds beside what it held when it had answered a few requests. */
  leftBehind: () => Promise<readonly string[]>;
  close: () => Promise<void>;
}>;

/** What everybody may ask, and everybody gets. */
export const ordinary: PlacedValue = { place: "rest of a path", value: { length: 1, filling: "a" } };

const settleMilliseconds = 10_000;
// Numbers have the same length, so that the lengths of hostile answers stay what they are.
const firstNumber = 100_000;

/** Starts upstream and gateway, and waits until both have answered. */
export async function startScene(settings: Pick<ProcessSettings, "engine" | "responder">): Promise<Scene> {
  const upstream = await startStrictUpstream();
  const scripts = new Map<string, Script>();
  upstream.answerWith(answerBy(scripts), isEarlyBy(scripts));
  const gateway = await startGatewayProcess({ ...settings, upstreamPort: upstream.port, timeout: 1 });
  let number = firstNumber;
  const numbered = (placed: PlacedValue): NumberedRequest => requestWith(placed, (number += 1));
  await Promise.all(Object.values(gateway.ports).map((port) => converse(port, [ordinary, ordinary].map(numbered))));
  await settle();
  const atStart = await holdWhen(({ handles }) => !handles.includes("Timeout"));
  return { gateway, hold, numbered, settle, leftBehind, close };

  async function hold(conversations: readonly Conversation[]): Promise<string[]> {
    const problems = (await Promise.all(conversations.map(holdOne))).flat();
    problems.push(...(await settle()), ...upstream.violations.map((bytes) => `not HTTP: ${JSON.stringify(bytes)}`));
    upstream.forget();
    scripts.clear();
    return problems;
  }

  function holdOne({ app, requests, script, ...manner }: Conversation): Promise<string[]> {
    const asked = requests.map(numbered);
    if (script !== undefined) scripts.set(String(number), script);
    const how = { ...manner, mayBreak: script !== undefined, mayStall: script?.then === "goes on" };
    return converse(gateway.ports[app], [...asked, numbered(ordinary)], how);
  }

  async function settle(): Promise<string[]> {
    const found: string[] = [];
    const deadline = performance.now() + settleMilliseconds;
    for (;;) {
      const { running, matched, lines, disturbances } = await gateway.ask("state");
      found.push(...disturbances);
      if (running === 0 && matched === lines) return found;
      const isLate = performance.now() > deadline;
      if (isLate) return [...found, `${running} under way without a client, ${lines} logged of ${matched}`];
      await nextTurn();
    }
  }

  async function leftBehind(): Promise<readonly string[]> {
    return moreThan(atStart, await holdWhen((now) => moreThan(atStart, now).length === 0));
  }

  /** What the process holds as soon as that is so, and at the latest when no timer of the past can run any more. */
  async function holdWhen(isSo: (now: Holdings) => boolean): Promise<Holdings> {
    const deadline = performance.now() + settleMilliseconds;
    for (;;) {
      const now = await gateway.ask("holdings");
      if (isSo(now) || performance.now() > deadline) return now;
    }
  }

  async function close(): Promise<void> {
    await gateway.stop();
    await upstream.close();
  }
}

/** A listener for what nobody had at first is no leak, but a handle of a kind that nobody had is one. */
function moreThan(before: Holdings, now: Holdings): string[] {
  const [handlesBefore, handlesNow] = [countEach(before.handles), countEach(now.handles)];
  return [
    ...Object.entries(handlesNow).map(([name, count]) => [name, count, handlesBefore[name] ?? 0] as const),
    ...Object.entries(now.listeners).map(([name, count]) => [name, count, before.listeners[name] ?? count] as const),
  ]
    .filter(([, count, known]) => count > known)
    .map(([name, count, known]) => `${name}: ${count} instead of ${known}`);
}
