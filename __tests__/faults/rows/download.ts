import { once } from "node:events";
import type { Socket } from "node:net";
import { expect } from "@jest/globals";
import { getsAnswer, request, type Scene, type SceneOptions } from "../scene.ts";
import type { Wire } from "../wire.ts";
import type { Fault } from "./fault.ts";

const seconds = 0.4;
const limited: SceneOptions = { route: { Limits: { Download: seconds, Concurrent: 1 } } };

// More than the system holds for two sockets, in one piece that the gateway gets whole.
const body = Buffer.alloc(32_000_000, "x");
const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A client that asks, and reads nothing from now on. */
function asking({ client }: Scene, bytes: string): Wire {
  const wire = client();
  wire.write(bytes);
  wire.socket.pause();
  return wire;
}

async function begin(scene: Scene): Promise<Readonly<{ reader: Wire; upstream: Wire }>> {
  const reader = asking(scene, request("GET", "/x"));
  const upstream = await scene.upstream.next();
  await upstream.until("\r\n\r\n");
  upstream.write(head);
  upstream.write(body);
  return { reader, upstream };
}

// The system tells of room in its buffers once about a third of them is free.
const step = 2_000_000;

/** Reads on for longer than the limit, with pauses that are shorter. */
async function readSlowly({ socket, received }: Wire): Promise<void> {
  for (let wanted = step; wanted <= body.length / 2; wanted += step) {
    socket.resume();
    while (received().length < wanted && !socket.closed) await wait(1);
    socket.pause();
    await wait((seconds * 1_000) / 6);
  }
  socket.resume();
}

/** What becomes of clients that stop taking their answers. */
export const downloadFaults: readonly Fault[] = [
  {
    name: "download: the client takes nothing, and its place is free for another",
    options: limited,
    async play(scene) {
      const { upstream } = await begin(scene);
      await upstream.ended;
      expect(scene.logged).toEqual(["download-stalled"]);
      await getsAnswer(scene);
    },
  },
  {
    name: "download: the client takes none of many answers in a pipeline",
    options: {
      route: { Limits: { Download: seconds } },
      gateway: { middleware: [(_req, res) => void res.end(body.subarray(0, 1_000_000))] },
    },
    async play(scene) {
      const served = new Promise<Socket>((resolve) => void scene.running.server.once("connection", resolve));
      asking(scene, request("GET", "/x").repeat(20));
      await once(await served, "close");
      expect(scene.logged[0]).toBe("download-stalled");
    },
  },
  {
    name: "download: the client is slow, but goes on",
    options: limited,
    async play(scene) {
      const { reader, upstream } = await begin(scene);
      await readSlowly(reader);
      await upstream.ended;
      expect(scene.logged).toEqual([]);
    },
  },
  {
    name: "download: the client is slow to take an answer that is one piece, but goes on",
    options: {
      route: { Limits: { Download: seconds } },
      gateway: { middleware: [(_req, res) => void res.setHeader("connection", "close").end(body)] },
    },
    async play(scene) {
      const reader = asking(scene, request("GET", "/x"));
      await readSlowly(reader);
      expect(await reader.ended).toBe("closed");
      expect(reader.received().split("\r\n\r\n")[1]).toHaveLength(body.length);
      expect(scene.logged).toEqual([]);
    },
  },
  {
    name: "download: the upstream is silent for long, and nobody minds",
    options: limited,
    async play({ client, upstream, logged }) {
      const { write, until } = client();
      write(request("GET", "/x"));
      const connection = await upstream.next();
      await connection.until("\r\n\r\n");
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
      await until("data: 1\n\n");
      await wait(seconds * 2_000);
      connection.write("data: 2\n\n");
      await until("data: 2\n\n");
      expect(logged).toEqual([]);
    },
  },
];
