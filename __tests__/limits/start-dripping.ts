import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A server whose answers drip, and where it listens. */
export type DrippingServer = Readonly<{ port: number; close: () => Promise<unknown> }>;

const server = `
import net from "node:net";
import { parentPort, workerData } from "node:worker_threads";
const { head, piece, times } = workerData;
const answer = Buffer.from(head + piece.repeat(times));
const server = net.createServer((socket) => {
  socket.on("error", () => undefined).on("data", () => socket.write(answer));
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

/** What an answer begins with, and the piece that follows so many times; then nothing comes any more. */
export type Drip = Readonly<{ head: string; piece: string; times: number }>;

/** Starts a server, in a thread of its own, that answers everything alike. */
export async function startDripping(drip: Drip): Promise<DrippingServer> {
  const worker = new Worker(server, { eval: true, workerData: drip });
  const [port] = (await once(worker, "message")) as [number];
  return { port, close: () => worker.terminate() };
}
