import { once } from "node:events";
import { createServer } from "node:net";

// The system gives these to nobody who does not ask for them: another test's server cannot be given one meanwhile.
const lowest = 20_000;
const highest = 32_000;

/** A port where nobody listens, for a program that cannot choose one by itself. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
