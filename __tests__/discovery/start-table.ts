import { jest } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startTwoInstances } from "./instances.ts";

export const { a, b, closing } = await startTwoInstances();

export function fakeTime(): void {
  jest.useFakeTimers({ doNotFake: ["Date", "hrtime", "nextTick", "queueMicrotask", "setImmediate"] });
  closing.push(async () => jest.useRealTimers());
}

/** A gateway to whatever a table holds: it has "orders", has nothing of what begins with "nobody", and fails for others. */
export async function startTable() {
  const questions: string[] = [];
  const told = new Set(["orders"]);
  const { port, server, close } = await startGateway(
    { GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table", AllowAnyService: true } } },
    {
      discovery: {
        Table: async ({ name }, update) => {
          questions.push(name);
          if (!told.has(name) && !name.startsWith("nobody")) throw new Error("Nobody can tell.");
          update(told.has(name) ? [{ host: "127.0.0.1", port: a.port }] : []);
        },
      },
    },
  );
  closing.push(close);
  let arrived = 0;
  server.on("request", () => (arrived += 1));
  return {
    arrived: () => arrived,
    open: async (path: string): Promise<number> => (await request({ port, path })).status,
    asked: (name: string): number => questions.filter((asked) => asked === name).length,
    first: (): number => new Set(questions).size,
    tell: (name: string) => void told.add(name),
  };
}
