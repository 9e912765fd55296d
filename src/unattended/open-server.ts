import type { AddressInfo, ListenOptions, Server } from "node:net";
import { listenOnce } from "./guarded.ts";

/** Lets a server listen, and tells its port; errors that come later are for whoever has it. */
export async function openServer(server: Server, options: ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failing = listenOnce(server, "error", reject);
    server.listen(options, () => {
      server.off("error", failing);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
