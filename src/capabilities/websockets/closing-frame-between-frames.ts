import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { CloseCode } from "./close-code.ts";
import type { Relay } from "./relay.ts";

// Final frame, opcode "close".
const closeFrame = 0x88;
const maskBit = 0x80;

/**
 * Sends a closing frame where what has passed to that side ends between two frames. In the middle of one it would be read
 * as a part of it: such a connection just ends.
 */
export function sendBetweenFrames(socket: Socket, { isBetweenFrames }: Relay, closingFrame: Buffer): void {
  if (socket.writable && isBetweenFrames()) socket.write(closingFrame);
}

/** The frame that closes a WebSocket, as a server sends it to a client. */
export function closingFrameForClient(code: CloseCode): Buffer {
  const payload = payloadOf(code);
  return Buffer.from([closeFrame, payload.length, ...payload]);
}

/** The same as a client sends it to a server: masked. */
export function closingFrameForUpstream(code: CloseCode): Buffer {
  const mask = randomBytes(4);
  const masked = payloadOf(code).map((byte, index) => byte ^ mask[index]!);
  return Buffer.from([closeFrame, maskBit | masked.length, ...mask, ...masked]);
}

function payloadOf(code: CloseCode): number[] {
  return [code >> 8, code & 0xff];
}
