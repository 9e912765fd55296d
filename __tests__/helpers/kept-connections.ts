import net from "node:net";
import { type Message, readMessages, valuesOf } from "../conformance/read-messages.ts";

/** Connections that are kept and used again, one request after the other on each of them. */
export type KeptConnections = Readonly<{
  /** Sends the bytes of a request without a body as soon as a connection is free, and reads the answer strictly. */
  ask: (method: string, target: string, ...headers: readonly string[]) => Promise<Message>;
  close: () => void;
}>;

const maySendBodies = new Set(["POST", "PUT", "PATCH"]);

/** Opens up to so many connections as they are needed: for thousands of requests, of which node:http makes more work. */
export function keepConnections(port: number, count: number): KeptConnections {
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  let opened = 0;
  return { ask, close: () => idle.forEach(({ socket }) => socket.destroy()) };

  async function ask(method: string, target: string, ...headers: readonly string[]): Promise<Message> {
    const connection = await take();
    const length = maySendBodies.has(method) ? ["Content-Length: 0"] : [];
    const lines = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...length, ...headers, "", ""];
    const message = await connection.exchange(method, lines.join("\r\n"));
    giveBack(valuesOf(message.headers, "connection").includes("close") ? open() : connection);
    return message;
  }

  function take(): Connection | Promise<Connection> {
    const connection = idle.pop();
    if (connection !== undefined) return connection;
    if (opened === count) return new Promise((resolve) => waiting.push(resolve));
    opened += 1;
    return open();
  }

  function giveBack(connection: Connection): void {
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else next(connection);
  }

  function open(): Connection {
    return createConnection(port);
  }
}

type Connection = Readonly<{ socket: net.Socket; exchange: (method: string, bytes: string) => Promise<Message> }>;

type Waiter = Readonly<{ method: string; resolve: (message: Message) => void; reject: (error: Error) => void }>;

function createConnection(port: number): Connection {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  let received = "";
  let waiter: Waiter | undefined;
  socket.setEncoding("latin1");
  socket.on("error", () => undefined);
  socket.on("data", (text: string) => {
    received += text;
    const { messages, rest, isBroken } = readMessages(received, ({ line }) => (hasBody(line) ? "framed" : "none"));
    if (isBroken || messages.length > 1)
      socket.destroy(new Error(`No answer is read from ${JSON.stringify(received)}.`));
    if (messages.length !== 1) return;
    received = rest;
    waiter?.resolve(messages[0]!);
    waiter = undefined;
  });
  socket.on("close", () => waiter?.reject(new Error(`The connection ended after ${JSON.stringify(received)}.`)));
  return { socket, exchange };

  function exchange(method: string, bytes: string): Promise<Message> {
    return new Promise((resolve, reject) => {
      waiter = { method, resolve, reject };
      socket.write(bytes, "latin1");
    });
  }

  function hasBody(line: string): boolean {
    return waiter?.method !== "HEAD" && !/^HTTP\/1\.1 (?:204|304) /.test(line);
  }
}
