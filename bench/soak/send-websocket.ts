import { WebSocket } from "ws";
import type { Plan } from "./plan-request.ts";
import type { Outcome } from "./send-request.ts";

/** A reload closes the WebSockets of routes that it changes, and says so. */
const expectedCodes = [1_000, 1_001, 1_005];
const messages = 3;
const silenceMilliseconds = 30_000;

/** Sends some messages, each when the one before has come back, and closes. */
export function sendWebSocket({ number, size, abortAfter }: Plan, port: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket/x?n=${number}`);
    const text = "w".repeat(size);
    let outcome: Outcome = "as expected";
    let left = messages;
    const timer = setTimeout(leave, abortAfter ?? silenceMilliseconds);
    socket.on("open", () => socket.send(text));
    socket.on("message", (echo: Buffer) => {
      left -= 1;
      if (echo.length !== size) outcome = `failed: websocket ${size}: an echo of ${echo.length} bytes`;
      if (left === 0) socket.close(1_000);
      else socket.send(text);
    });
    socket.on("error", (error) => (outcome = `failed: websocket ${size}: ${error.message}`));
    socket.on("close", (code) => {
      clearTimeout(timer);
      if (outcome === "as expected" && !expectedCodes.includes(code))
        outcome = `failed: websocket ${size}: code ${code}`;
      resolve(outcome);
    });

    function leave(): void {
      resolve(abortAfter === undefined ? `failed: websocket ${size}: no answer` : "left by the client");
      socket.terminate();
    }
  });
}
