import { createGateway, type Gateway, type GatewayConfig, type InstanceFinder, parseConfig } from "../../src/index.ts";
import { routeTo, startTwoInstances } from "./instances.ts";

export const { a, b, closing } = await startTwoInstances();

/** A gateway whose services a function finds, at once; each reload names another service. */
export function tableGateway(): Readonly<{
  gateway: Gateway;
  configOf: (name: string, more?: object) => GatewayConfig;
}> {
  const configOf = (name: string, more: object = {}): GatewayConfig =>
    parseConfig(
      {
        Routes: [routeTo(name), { ...routeTo("fixed"), ServiceName: "fixed", ...more }],
        GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table" } },
      },
      { logger: false },
    );
  const Table: InstanceFinder = async (_service, update) => update([{ host: "127.0.0.1", port: a.port }]);
  const gateway = createGateway(configOf("first"), { logger: false, discovery: { Table } });
  closing.push(async () => gateway.close({ grace: 0 }));
  return { gateway, configOf };
}
