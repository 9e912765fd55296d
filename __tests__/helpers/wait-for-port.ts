import { once } from "node:events";
import { connect } from "node:net";

/** Waits until somebody listens at a port of whom nothing else tells; gives up once `hasEnded` says that nobody will. */
export async function waitForPort(port: number, hasEnded: () => boolean = () => false): Promise<void> {
  while (!hasEnded()) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise<void>((resolve) => void setTimeout(resolve, 20));
  }
  throw new Error(`Nobody listens at port ${port} any more.`);
}
