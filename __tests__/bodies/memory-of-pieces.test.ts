import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import type { DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { end, head } from "./start-raw-answers.ts";

/** Chunks with long extensions, of which each holds little of what is read for it. */
const chunk = (length: number, ofExtension: number): string =>
  `${length.toString(16)};${"e".repeat(ofExtension)}\r\n${"a".repeat(length)}\r\n`;

const rows = [
  { length: 1, ofExtension: 50, count: 30_000 },
  { length: 1_500, ofExtension: 16_000, count: 300 },
];

for (const { name, create } of engines) {
  test.each(rows)(`${name}: pieces of $length bytes keep no extensions of their chunks in memory`, async (row) => {
    const { length, ofExtension, count } = row;
    const chunks = chunk(length, ofExtension).repeat(count);
    const service = net.createServer((socket) => {
      socket.on("error", () => undefined).on("data", () => socket.write(head + chunks + end));
    });
    await once(service.listen(0, "127.0.0.1"), "listening");
    const kept: Buffer[] = [];
    const keepPieces: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      await once(
        answer.body.on("data", (piece: Buffer) => kept.push(piece)),
        "end",
      );
      answer.body = "kept";
      return answer;
    };
    const target = { Host: "127.0.0.1", Port: (service.address() as AddressInfo).port };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [target] };
    const running = await startGateway({ Routes: [route] }, { engine: create(), handlers: [keepPieces] });
    try {
      expect(await (await fetch(running.origin)).text()).toBe("kept");
      expect(Buffer.concat(kept).toString()).toBe("a".repeat(count * length));
      const memory = new Set(kept.map(({ buffer }) => buffer));
      const bytes = Array.from(memory, ({ byteLength }) => byteLength).reduce((sum, one) => sum + one, 0);
      expect(bytes).toBeLessThan(count * length + 500_000);
    } finally {
      await running.close();
      service.close();
    }
  });
}
