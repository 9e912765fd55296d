import { IncomingMessage } from "node:http";
import { createFewPerTurn } from "../unattended/few-per-turn.ts";
import { nextTurn } from "../unattended/guarded.ts";
import { gatherPieces } from "./gather-pieces.ts";
import { isAtParser } from "./is-at-parser.ts";

// What is longer is worth what each piece costs.
const shortLength = 1_024;
const mostGathered = 16_384;

type Push = (piece: unknown, encoding?: BufferEncoding) => boolean;

const pushes = new WeakMap<IncomingMessage, Push>();

/** Whether nothing but what gathers pieces here stands between a message and those of the parser. */
export function isPushedDirectly(message: IncomingMessage): boolean {
  return message.push === (pushes.get(message) ?? IncomingMessage.prototype.push);
}

/**
 * Lets a message give its body in few pieces. A chunk may hold a single byte, and a hundred thousand of them come in a
 * moment: each would go through streams, limits and writes by itself. The first piece in a turn of the event loop goes on at
 * once; short ones behind it go together, at the latest when the turn is over.
 */
export function takeInFewPieces(req: IncomingMessage): void {
  if (pushes.has(req) || !isAtParser(req) || !isPushedDirectly(req)) return;
  const push = createPush(req, req.push.bind(req));
  pushes.set(req, push);
  Object.defineProperties(req, { push: hidden(push), _dump: hidden(throwRestAway) });
}

function hidden(value: unknown): PropertyDescriptor {
  return { value, writable: true, configurable: true };
}

/** What nobody has read by the time of the answer: Node would throw it away unseen, as fast as it comes. */
function throwRestAway(this: IncomingMessage): void {
  this.removeAllListeners("data").resume();
}

function createPush(req: IncomingMessage, pushOn: Push): Push {
  const gathered = gatherPieces();
  let hasTurn = false;
  let isHeld = false;

  return function pushInFewPieces(piece, encoding) {
    if (Buffer.isBuffer(piece) && isKept(piece)) {
      gathered.add(piece);
      return !isHeld && (gathered.length() < mostGathered || pushGathered());
    }
    pushGathered();
    return pushOn(piece, encoding);
  };

  function isKept({ length }: Buffer): boolean {
    if (isHeld) return true;
    if (length >= shortLength) return false;
    if (hasTurn) {
      if (!takeRoom()) hold();
      return true;
    }
    hasTurn = true;
    nextTurn(endTurn, req);
    return false;
  }

  function endTurn(): void {
    hasTurn = false;
    if (!isHeld && !pushGathered()) req.socket.pause();
  }

  /** The parser, which is told not to go on, does so only when it is asked for more than what it has given. */
  function hold(): void {
    isHeld = true;
    oneHeldPerTurn(letGo, req);
  }

  function letGo(): void {
    isHeld = false;
    pushGathered();
  }

  function pushGathered(): boolean {
    return gathered.length() === 0 || req.destroyed || pushOn(gathered.take());
  }
}

/** What a turn has room for: each piece costs the parser some time, however they are taken from there. */
const mostPerTurn = 1_000;
const oneHeldPerTurn = createFewPerTurn(1);
let room = mostPerTurn;

function takeRoom(): boolean {
  if (room === mostPerTurn) nextTurn(() => (room = mostPerTurn));
  room -= 1;
  return room >= 0;
}
