import { expect } from "@jest/globals";
import { getsAnswer, request, type Scene } from "../scene.ts";
import type { Wire } from "../wire.ts";
import { chunks, type Fault, large } from "./fault.ts";

const seconds = 0.4;
const limited = { route: { Limits: { Upload: seconds, Concurrent: 1 } } };

const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const event = "3\r\none\r\n";

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A service that answers an upload with the beginning of an event stream. */
async function beginStream(
  { client, upstream }: Scene,
  bytes: string,
): Promise<Readonly<Record<"sender" | "service", Wire>>> {
  const sender = client();
  sender.write(bytes);
  const service = await upstream.next();
  await service.until("\r\n\r\n");
  service.write(streamHead + event);
  await sender.until("one");
  return { sender, service };
}

/** An upload of which the service takes no more than its system does by itself. */
async function beginUnread(scene: Scene): Promise<Readonly<Record<"sender" | "service", Wire>>> {
  const wires = await beginStream(scene, `${request("POST", "/x", "Content-Length: 40000001")}x`);
  wires.service.socket.pause();
  wires.sender.write(large.repeat(10));
  return wires;
}

/** More time than an upload may stand still, in steps that are shorter. */
async function stepwise(step: () => void): Promise<void> {
  for (let count = 0; count < 16; count += 1) {
    step();
    await wait((seconds * 1_000) / 4);
  }
}

/** What becomes of uploads that go on when the head of their answer is there. */
export const behindHeadFaults: readonly Fault[] = [
  {
    name: "upload behind the head: nobody reads it, the answer is silent, and the client leaves unnoticed",
    options: limited,
    async play(scene) {
      const { sender, service } = await beginUnread(scene);
      await wait((seconds * 1_000) / 4);
      sender.socket.destroy();
      await wait(seconds * 2_000);
      service.socket.resume();
      await service.ended;
      expect(scene.logged).toEqual(["answer-timeout"]);
      await getsAnswer(scene);
    },
  },
  {
    name: "upload behind the head: nobody reads it, the answer is silent, and the client is cut off",
    options: limited,
    async play(scene) {
      const { sender } = await beginUnread(scene);
      await sender.ended;
      expect(sender.received()).not.toContain("0\r\n\r\n");
      expect(scene.logged).toEqual(["answer-timeout"]);
    },
  },
  {
    name: "upload behind the head: it stops coming in, and the answer is silent",
    options: limited,
    async play(scene) {
      const { sender, service } = await beginStream(scene, `${chunks}5\r\n01234\r\n`);
      await sender.ended;
      await service.ended;
      expect(scene.logged).toEqual(["upload-stalled"]);
    },
  },
  {
    name: "upload behind the head: nobody reads it, but the answer goes on",
    options: limited,
    async play(scene) {
      const { sender, service } = await beginUnread(scene);
      await stepwise(() => service.write(event));
      service.write("4\r\nlast\r\n");
      await sender.until("last");
      expect(scene.logged).toEqual([]);
    },
  },
  {
    name: "upload behind the head: the answer is silent, but the upload goes on",
    options: limited,
    async play(scene) {
      const { sender, service } = await beginStream(scene, `${chunks}5\r\n01234\r\n`);
      await stepwise(() => sender.write("1\r\nx\r\n"));
      sender.write("4\r\nlast\r\n");
      await service.until("last");
      expect(scene.logged).toEqual([]);
    },
  },
  {
    name: "upload behind the head: it is complete, and the answer may be silent for long",
    options: limited,
    async play(scene) {
      const { sender, service } = await beginStream(scene, `${chunks}5\r\n01234\r\n`);
      sender.write("0\r\n\r\n");
      await service.until("01234\r\n0\r\n\r\n");
      await wait(seconds * 3_000);
      service.write("4\r\nlast\r\n");
      await sender.until("last");
      expect(scene.logged).toEqual([]);
    },
  },
];
