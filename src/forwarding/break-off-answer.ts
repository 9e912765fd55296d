import type { IncomingMessage } from "node:http";
import { illFormedAnswer } from "../ill-formed-answer.ts";
import { listenFirst } from "../unattended/guarded.ts";

/**
 * Where the end of the connection delimits an answer, Node ends it like a whole one right after an error of the connection;
 * after one of the parser it breaks it off by itself, behind what came before.
 */
export function breakOff(answer: IncomingMessage, error: Error): void {
  if (!answer.complete && !("bytesParsed" in error)) answer.destroy(error);
}

/**
 * Breaks off an answer in chunks that ends with its connection, and not with its last chunk. Where a tab stands behind the
 * word `chunked`, Node's parser (llhttp 9.4) does not know it, takes the chunks with their lengths for the body, and hands
 * the word over without the tab. It keeps no connection behind such an answer.
 */
export function breakOffWithoutLastChunk(answer: IncomingMessage): void {
  listenFirst(answer.socket, "end", () =>
    breakOff(answer, illFormedAnswer("The answer's connection ended before its last chunk.")),
  );
}
