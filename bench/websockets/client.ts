import { once } from "node:events";
import net from "node:net";

/** A WebSocket as cheap as it can be: it sends one frame, and waits until as many bytes have come back. */
export type Client = Readonly<{ socket: net.Socket; echo: () => Promise<void> }>;

const handshake = [
  "GET /live/room HTTP/1.1",
  "Host: gateway.example",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n",
].join("\r\n");

const payloadLength = 100;
// Masked with zeros: what comes back is the same without the mask.
const frame = Buffer.concat([Buffer.from([0x82, 0x80 | payloadLength, 0, 0, 0, 0]), Buffer.alloc(payloadLength, 120)]);
const echoLength = payloadLength + 2;

/** Opens a WebSocket; resolves when it stands. */
export async function openClient(port: number): Promise<Client> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  socket.write(handshake);
  const [head] = (await once(socket, "data")) as [Buffer];
  if (!head.includes("101 Switching")) throw new Error(`Expected a 101: ${head.toString("latin1")}`);
  let missing = 0;
  let done = (): void => undefined;
  socket.on("data", (chunk: Buffer) => {
    missing -= chunk.length;
    if (missing === 0) done();
  });
  return {
    socket,
    echo: () =>
      new Promise((resolve) => {
        missing = echoLength;
        done = resolve;
        socket.write(frame);
      }),
  };
}

/** Ends WebSockets; resolves when they are closed. */
export async function closeClients(clients: readonly Client[]): Promise<void> {
  await Promise.all(
    clients.map(({ socket }) => {
      const closed = once(socket, "close");
      socket.end();
      return closed;
    }),
  );
}
