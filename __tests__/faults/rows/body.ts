import { expect } from "@jest/globals";
import { request, type Scene } from "../scene.ts";
import type { Wire } from "../wire.ts";
import { type Fault, large } from "./fault.ts";

/** What goes wrong while the answer comes. */
export const bodyFaults: readonly Fault[] = [
  {
    name: "body: stalls, and nobody minds",
    options: { route: { Timeout: 0.5 } },
    async play({ client, upstream }) {
      const { write, until } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
      await until("data: 1\n\n");
      await new Promise((resolve) => setTimeout(resolve, 700));
      connection.write("data: 2\n\n");
      await until("data: 2\n\n");
    },
  },
  ...(["reset", "closed"] as const).flatMap((kind): Fault[] => [
    {
      name: `body: ${kind} in the middle of a known length`,
      async play(scene) {
        expect(await cutBody(scene, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", "Content-Length: 10", kind)).not.toContain(
          "HTTP/1.1 502",
        );
      },
    },
    {
      name: `body: ${kind} in the middle of chunks`,
      async play(scene) {
        const received = await cutBody(scene, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", "Transfer-Encoding: chunked", kind);
        expect(received).not.toContain("0\r\n\r\n");
      },
    },
  ]),
  {
    name: "body: cut toward HTTP/1.0, where only a reset tells",
    async play(scene) {
      await cutBody(scene, "GET /x HTTP/1.0\r\nHost: a\r\n\r\n", "Transfer-Encoding: chunked", "closed", "reset");
    },
  },
  {
    name: "body: cut toward HTTP/1.0, on a plain server",
    options: { isPlain: true },
    async play(scene) {
      await cutBody(scene, "GET /x HTTP/1.0\r\nHost: a\r\n\r\n", "Transfer-Encoding: chunked", "closed", "reset");
    },
  },
  {
    name: "body: the client leaves in the middle",
    async play({ client, upstream }) {
      const { write, until, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
      await until("abc");
      socket.destroy();
      await connection.ended;
    },
  },
  {
    name: "body: a client that reads nothing holds the upstream back",
    async play({ client, upstream }) {
      const { write, until, socket } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 400000000\r\n\r\n");
      await until("200 OK");
      socket.pause();
      expect(await countAccepted(connection)).toBeLessThan(100_000_000);
      socket.destroy();
      await connection.ended;
    },
  },
];

/** How many bytes a connection takes until it takes no more. */
async function countAccepted({ socket }: Wire): Promise<number> {
  let accepted = 0;
  for (;;) {
    const isTaken = new Promise((resolve) => socket.write(large, () => resolve(true)));
    const isStuck = new Promise((resolve) => setTimeout(resolve, 300, false));
    if (!(await Promise.race([isTaken, isStuck]))) return accepted;
    accepted += large.length;
  }
}

async function cutBody(
  { client, upstream, logged }: Scene,
  bytes: string,
  framing: string,
  kind: "reset" | "closed",
  seen?: "reset" | "closed",
): Promise<string> {
  const { write, until, received, ended } = client();
  write(bytes);
  const connection = await upstream.next();
  await connection.until("\r\n\r\n");
  connection.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n${framing.startsWith("T") ? "3\r\nabc\r\n" : "abc"}`);
  await until("abc");
  if (kind === "reset") connection.socket.resetAndDestroy();
  else connection.socket.end();
  const end = await ended;
  if (seen !== undefined) expect(end).toBe(seen);
  expect(logged).toEqual(["upstream-reset"]);
  return received();
}
