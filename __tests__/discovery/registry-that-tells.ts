import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "@jest/globals";
import { createRegistryClient, type RegistryClient } from "../../src/discovery/registries/registry-client.ts";

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

export async function clientOf(registry: RequestListener): Promise<RegistryClient> {
  const server = createServer(registry).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = createRegistryClient({ scheme: "http", host: "127.0.0.1", port });
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
    client.close,
  );
  return client;
}

export const service = { name: "orders", namespace: "shop", scheme: "http" } as const;
export const token = (): Promise<undefined> => Promise.resolve(undefined);

export function slice(host: string): object {
  return { metadata: { name: "one" }, addressType: "IPv4", ports: [{ port: 80 }], endpoints: [{ addresses: [host] }] };
}
