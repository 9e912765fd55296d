import { randomBytes } from "node:crypto";

// Final frame, opcode "close".
const closeFrame = 0x88;
const maskBit = 0x80;
const goingAway = Buffer.from([1001 >> 8, 1001 & 0xff]);

/** The frame that closes a WebSocket with 1001, as a server sends it to a client. */
export const goingAwayForClient: Buffer = Buffer.concat([Buffer.from([closeFrame, goingAway.length]), goingAway]);

/** The same as a client sends it to a server: masked. */
export function goingAwayForUpstream(): Buffer {
  const mask = randomBytes(4);
  const masked = goingAway.map((byte, index) => byte ^ mask[index]!);
  return Buffer.concat([Buffer.from([closeFrame, maskBit | goingAway.length]), mask, masked]);
}
