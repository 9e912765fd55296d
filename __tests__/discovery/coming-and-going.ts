import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import type { Place } from "./registries.ts";

/** Instances of a service that come and go. */
export type Instances = Readonly<{
  /** Lets one come or go every 100 ms for so long. */
  change: (milliseconds: number) => Promise<void>;
  changes: () => number;
  /** How long after its leave the latest request has arrived at an instance that still listened; milliseconds. */
  latest: () => number;
  close: () => Promise<void>;
}>;

type Instance = Place & { server: http.Server; leftAt: number | undefined };

const betweenChanges = 100;
const [fewest, most] = [2, 6];
// What becomes of those that leave, in turn: some refuse at once, some soon, and some listen on, to see who still asks.
const goodbyes: readonly (number | undefined)[] = [undefined, 300, 0];

/** Starts some instances, and tells of each change where there are any now. */
export async function startInstances(tell: (places: readonly Place[]) => void): Promise<Instances> {
  const present: Instance[] = [];
  const gone: Instance[] = [];
  let [changes, latest] = [0, 0];
  for (let count = 0; count < 4; count += 1) await come();
  return { change, changes: () => changes, latest: () => latest, close };

  async function change(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; performance.now() < end; changes += 1) {
      const mayLeave = present.length > fewest && (present.length >= most || Math.random() < 0.5);
      await (mayLeave ? leave() : come());
      await wait(betweenChanges);
    }
  }

  async function come(): Promise<void> {
    const server = http.createServer((req, res) => {
      if (instance.leftAt !== undefined) latest = Math.max(latest, performance.now() - instance.leftAt);
      res.end(req.url);
    });
    const instance: Instance = { port: await listen(server), server, leftAt: undefined };
    present.push(instance);
    tell(present);
  }

  async function leave(): Promise<void> {
    const [instance] = present.splice(Math.floor(Math.random() * present.length), 1) as [Instance];
    instance.leftAt = performance.now();
    tell(present);
    gone.push(instance);
    const goodbye = goodbyes[changes % goodbyes.length];
    if (goodbye === 0) await closeServer(instance.server);
    else if (goodbye !== undefined) void wait(goodbye).then(() => closeServer(instance.server));
  }

  async function close(): Promise<void> {
    await Promise.all([...present, ...gone].map(({ server }) => closeServer(server)));
  }
}
