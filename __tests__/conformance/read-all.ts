import net from "node:net";

/** Sends bytes, and reads until the connection ends. */
export function readAll(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    socket.setEncoding("latin1");
    socket.on("error", () => undefined);
    socket.on("data", (text: string) => (received += text));
    socket.on("close", () => resolve(received));
    socket.write(bytes);
  });
}
