import { randomBytes } from "node:crypto";

/** Why the gateway closes a WebSocket: as a server does that shuts down, or because its client may not have it any more. */
export const closeCodes = { goingAway: 1001, policyViolation: 1008 } as const;

/** A code of RFC 6455 7.4 with which the gateway closes WebSockets. */
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

// Final frame, opcode "close".
const closeFrame = 0x88;
const maskBit = 0x80;

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
