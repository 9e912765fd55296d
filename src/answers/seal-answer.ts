import type { ServerResponse } from "node:http";
import { listenOnce } from "../unattended/guarded.ts";
import { headerSetters, interimWriters, toldMembers } from "../bodies/responses/members-of-answer.ts";

/** What code writes an answer by. */
const writers = [...headerSetters, ...interimWriters, "writeHead", "flushHeaders", "addTrailers", "end"] as const;

/**
 * Keeps an answer as it is: code that is late with one of its own writes into nothing. Node would throw, where nobody may
 * catch it. The function that comes back ends the answer.
 */
export function sealAnswer(res: ServerResponse): () => void {
  const end = Reflect.get<ServerResponse, "end">(res, "end");
  for (const name of writers) Reflect.set(res, name, writeNothing);
  Reflect.set(res, "write", takeAll);
  for (const name of toldMembers) hold(res, name);
  return () => void Reflect.apply(end, res, []);

  function writeNothing(): ServerResponse {
    return res;
  }
}

/** Seals an answer that other code gives, now or later, as soon as it has ended it. */
export function sealWhenEnded(res: ServerResponse): void {
  if (res.writableEnded) sealAnswer(res);
  else listenOnce(res, "prefinish", () => void sealAnswer(res));
}

/** What is set is passed over: to set what is only for reading throws in strict code. */
function hold(res: ServerResponse, name: (typeof toldMembers)[number]): void {
  const value = res[name];
  Reflect.defineProperty(res, name, { configurable: true, enumerable: true, get: () => value, set: passOver });
}

function passOver(): void {
  // The answer has begun.
}

/** One who pipes would wait for ever for the rest to be taken. */
function takeAll(): boolean {
  return true;
}
