import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { createNamingSimulator, type Service } from "../src/simulator/index.ts";
import { listen, type Listening } from "./listen.ts";
import { createTickerServer } from "./ticker.ts";
import type { Traces } from "./traces.ts";

/** The naming service, and the services it knows: each replica is a real server at a port of its own. */
export async function startNamingService(port: number, traces: Traces): Promise<Listening> {
  const replicas = new Map<string, Listening>();
  const closeReplicas = () => Promise.all([...replicas.values()].map(({ close }) => close()));
  try {
    const simulator = createNamingSimulator({ port, services: await createServices() });
    const { port: bound } = await simulator.listen();
    return {
      port: bound,
      close: () =>
        simulator
          .close()
          .then(closeReplicas)
          .then(() => undefined),
    };
  } catch (error) {
    await closeReplicas();
    throw error;
  }

  async function createServices(): Promise<Record<string, Service>> {
    return {
      "Shop/Catalog": {
        kind: "stateless",
        instances: [await start("Shop/Catalog, instance 1"), await start("Shop/Catalog, instance 2")],
      },
      "Shop/Accounts": {
        kind: "stateful",
        partitions: [
          { kind: "Int64Range", low: 0, high: 499, primary: await start("Shop/Accounts, primary of 0 to 499") },
          { kind: "Int64Range", low: 500, high: 999, primary: await start("Shop/Accounts, primary of 500 to 999") },
        ],
      },
      "Shop/Reports": { kind: "guest", address: await start("Shop/Reports, a guest executable") },
      "Shop/Ticker": { kind: "guest", address: await start("Shop/Ticker, a live service", createTickerServer) },
      "Service_v1/Api": { kind: "stateless", instances: [await start("Service_v1/Api, the old one")] },
      "Service_v2/Api": { kind: "stateless", instances: [await start("Service_v2/Api, the new one")] },
    };
  }

  async function start(name: string, create = createEchoServer): Promise<string> {
    const replica = await listen(create(name, traces), 0);
    replicas.set(name, replica);
    return `http://127.0.0.1:${replica.port}`;
  }
}

/** A service that answers with what it got. */
export function createEchoServer(name: string, traces: Traces): Server {
  return createServer((req, res) => {
    traces.noteArrival(name, req);
    void text(req)
      .then((body) => {
        const answer = { service: name, received: `${req.method} ${req.url}`, ...(body === "" ? {} : { body }) };
        res.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      })
      .catch(() => res.destroy());
  });
}
