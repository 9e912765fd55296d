import { Worker } from "node:worker_threads";

type Flood = Readonly<{ port: number; path: string; uploads: number }>;

const client = `
import net from "node:net";
import { workerData } from "node:worker_threads";
const chunks = Buffer.from("1\\r\\na\\r\\n".repeat(50_000));
for (let index = 0; index < workerData.uploads; index += 1) {
  const socket = net.connect(workerData.port, "127.0.0.1").on("error", () => undefined).resume();
  socket.write("POST " + workerData.path + " HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n");
  socket.on("drain", writeOn);
  writeOn();
  // What the system takes at once brings no drain.
  function writeOn() {
    while (!socket.destroyed && socket.write(chunks));
  }
}
`;

/** Sends uploads that never end, in chunks of one byte, as fast as they are taken; what comes back ends them. */
export function startFlood(flood: Flood): () => Promise<unknown> {
  const worker = new Worker(client, { eval: true, workerData: flood });
  return () => worker.terminate();
}
