import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import type { DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { end, head } from "./start-raw-answers.ts";

const extension = `;${"e".repeat(16_000)}\r\n`;

/** Chunks with long extensions, of which each holds little of what is read for it. */
const chunks = (length: number): string => `${length.toString(16)}${extension}${"a".repeat(length)}\r\n`.repeat(300);

for (const { name, create } of engines) {
  test.each([1, 1_500])(`${name}: pieces of %d bytes keep no extensions of their chunks in memory`, async (length) => {
    const service = net.createServer((socket) => {
      socket.on("error", () => undefined).on("data", () => socket.write(head + chunks(length) + end));
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
      expect(Buffer.concat(kept).toString()).toBe("a".repeat(300 * length));
      const memory = new Set(kept.map(({ buffer }) => buffer));
      const bytes = Array.from(memory, ({ byteLength }) => byteLength).reduce((sum, one) => sum + one, 0);
      expect(bytes).toBeLessThan(300 * length + 500_000);
    } finally {
      await running.close();
      service.close();
    }
  });
}
