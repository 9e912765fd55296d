import type { Server } from "node:http";
import { openServer } from "../unattended/open-server.ts";

/** Where a server listens. */
export type Place = Readonly<{ url: string; port: number }>;

/** Lets a server listen; port 0 takes a free one. */
export async function listenAt(server: Server, { host, port }: { host: string; port: number }): Promise<Place> {
  const bound = await openServer(server, { host, port });
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
