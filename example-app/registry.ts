import { createConsulSimulator } from "../src/simulator/index.ts";
import { listen, type Listening } from "./listen.ts";
import { createEchoServer } from "./services.ts";
import type { Traces } from "./traces.ts";

const betweenChanges = 3_000;
// Which instances of Stock there are, one moment after another.
const moments: readonly (readonly number[])[] = [
  [0, 1],
  [0, 1, 2],
  [1, 2],
  [0, 2],
];

/** A Consul that knows two services: instances of Stock come and go every few seconds, Ratings stays where it is. */
export async function startRegistry(port: number, traces: Traces): Promise<Listening> {
  const running: Listening[] = [];
  const consul = createConsulSimulator({ port });
  let moment = 0;
  try {
    const { port: bound } = await consul.listen();
    const stock = [
      await start("Stock, instance 1"),
      await start("Stock, instance 2"),
      await start("Stock, instance 3"),
    ];
    consul.setInstances("ratings", [await start("Ratings, the only instance")]);
    tellStock();
    const timer = setInterval(tellStock, betweenChanges);
    return {
      port: bound,
      async close() {
        clearInterval(timer);
        await closeAll();
      },
    };

    function tellStock(): void {
      const present = moments[moment % moments.length]!;
      consul.setInstances(
        "stock",
        present.map((index) => stock[index]!),
      );
      moment += 1;
    }
  } catch (error) {
    await closeAll();
    throw error;
  }

  async function start(name: string): Promise<Readonly<{ address: string; port: number }>> {
    const instance = await listen(createEchoServer(name, traces), 0);
    running.push(instance);
    return { address: "127.0.0.1", port: instance.port };
  }

  async function closeAll(): Promise<void> {
    await Promise.all([consul.close(), ...running.map(({ close }) => close())]);
  }
}
