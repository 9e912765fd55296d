import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { explainListenFailure, type Ports } from "./ports.ts";

/** Something that listens, until it is closed. */
export type Listening = Readonly<{ port: number; close: () => Promise<void> }>;

/** Listens on this machine only, unless a host is given. */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

/** Listens at one of the example's known ports; a port that cannot be had is explained. */
export async function listenAt<Started extends Listening>(
  name: keyof Ports,
  ports: Ports,
  start: () => Promise<Started>,
): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    throw explainListenFailure(name, ports[name], error);
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
