import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listenOnce } from "../unattended/guarded.ts";

/** Where a server listens. */
export type Place = Readonly<{ url: string; port: number }>;

/** Lets a server listen; port 0 takes a free one. */
export async function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<Place> {
  await new Promise<void>((resolve, reject) => {
    const failing = listenOnce(server, "error", reject);
    server.listen(port, host, () => {
      server.off("error", failing);
      resolve();
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`, port: bound };
}

/** Ends every connection of a server at once. */
export function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // The callback gets an error when nothing listens: then there is nothing to close.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
