import { once } from "node:events";
import type { Server } from "node:http";
import net, { type AddressInfo } from "node:net";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { untilTrue } from "./until-true.ts";

export const question = "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n";
export const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
export const oneByte = "1\r\na\r\n";
export const end = "0\r\n\r\n";

/** A client, and the bytes that it has got. */
export type Client = Readonly<{ socket: net.Socket; got: () => string }>;

/** A service that writes the bytes of its answers itself, and a gateway that asks it. */
export type RawAnswers = Readonly<{
  /** Sets what the service does from now on with the connections that ask it. */
  answerWith: (answer: (socket: net.Socket) => void) => void;
  ask: () => Client;
  /** Asks for an answer of which only the head has come; returns the service's end of its connection as well. */
  begin: () => Promise<Readonly<{ client: Client; service: net.Socket }>>;
  /** How many connections the service has accepted. */
  accepted: () => number;
  server: Server;
  close: () => Promise<void>;
}>;

/** Starts both; what asks through the gateway is a raw socket as well. */
export async function startRawAnswers(create: () => Engine): Promise<RawAnswers> {
  const sockets: net.Socket[] = [];
  let accepted = 0;
  let answer: (socket: net.Socket) => void;
  const upstream = net.createServer((socket) => {
    accepted += 1;
    sockets.push(socket);
    socket.on("error", () => undefined).on("data", () => answer(socket));
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const target = { Host: "127.0.0.1", Port: (upstream.address() as AddressInfo).port };
  const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [target] };
  const running = await startGateway({ Routes: [route] }, { engine: create() });
  return { answerWith, ask, begin, accepted: () => accepted, server: running.server, close };

  function answerWith(chosen: (socket: net.Socket) => void): void {
    answer = chosen;
  }

  function ask(): Client {
    let got = "";
    const socket = net.connect(running.port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    socket.setEncoding("latin1").on("data", (text: string) => (got += text));
    socket.write(question);
    return { socket, got: () => got };
  }

  async function begin(): Promise<Readonly<{ client: Client; service: net.Socket }>> {
    const told = Promise.withResolvers<net.Socket>();
    answerWith((socket) => {
      socket.write(head);
      told.resolve(socket);
    });
    const client = ask();
    const service = await told.promise;
    await untilTrue(() => client.got().endsWith("\r\n\r\n"));
    return { client, service };
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await running.close();
    upstream.close();
  }
}

/** Writes the same text to a connection as often as it is taken, for ever or some times. */
export function writeOften(socket: net.Socket, text: string, times = Infinity, written?: () => void): void {
  const piece = Buffer.from(text);
  let left = times;
  socket.on("drain", writeOn);
  writeOn();

  function writeOn(): void {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(piece)) return;
    }
    socket.off("drain", writeOn);
    written?.();
  }
}
