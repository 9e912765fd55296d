import type { IncomingMessage } from "node:http";

/**
 * Where the end of the connection delimits an answer, Node ends it like a whole one right after an error of the connection;
 * after one of the parser it breaks it off by itself, behind what came before.
 */
export function breakOff(answer: IncomingMessage, error: Error): void {
  if (!answer.complete && !("bytesParsed" in error)) answer.destroy(error);
}
