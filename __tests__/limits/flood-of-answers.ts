import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A service that answers in very short chunks, and the clients that ask it by way of a gateway. */
export type FloodOfAnswers = Readonly<{
  servicePort: number;
  /** So many clients ask at the gateway's port; those that do not read let what comes pile up. */
  ask: (asked: Readonly<{ port: number; path: string; clients: number; reads: boolean }>) => void;
  end: () => Promise<unknown>;
}>;

const service = `
import net from "node:net";
import { parentPort } from "node:worker_threads";
const chunks = Buffer.from("1\\r\\na\\r\\n".repeat(50_000));
const server = net.createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", () => {
    socket.write("HTTP/1.1 200 OK\\r\\nCache-Control: max-age=60\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n");
    socket.on("drain", writeOn);
    writeOn();
    // What the system takes at once brings no drain.
    function writeOn() {
      while (!socket.destroyed && socket.write(chunks));
    }
  });
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
parentPort.on("message", ({ port, path, clients, reads }) => {
  for (let index = 0; index < clients; index += 1) {
    const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("GET " + path + "?" + index + " HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n");
    if (reads) socket.resume();
  }
});
`;

/** Starts a service whose answers never end, in chunks of one byte that come as fast as they are taken. */
export async function startFloodOfAnswers(): Promise<FloodOfAnswers> {
  const worker = new Worker(service, { eval: true });
  const [servicePort] = (await once(worker, "message")) as [number];
  return { servicePort, ask: (asked) => worker.postMessage(asked), end: () => worker.terminate() };
}
