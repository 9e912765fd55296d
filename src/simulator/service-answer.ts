import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { filterHeaders } from "./request-headers.ts";

/** What a service answered. */
export type ServiceAnswer = Readonly<{
  status: number;
  reason: string;
  rawHeaders: readonly string[];
  body: Readable | null;
}>;

/** Date and Server are the service's own; the other two belong to the connection to it. */
const droppedNames: ReadonlySet<string> = new Set(["date", "server", "connection", "keep-alive"]);

/** Takes an answer off the connection to the service. */
export function receivedAnswer(message: IncomingMessage): ServiceAnswer {
  const { statusCode = 0, statusMessage = "", rawHeaders } = message;
  return { status: statusCode, reason: statusMessage, rawHeaders, body: message };
}

/** The headers of an answer that the client gets, as name, value, name, value …. */
export function relayedHeaders(rawHeaders: readonly string[]): string[] {
  return filterHeaders(rawHeaders, (name) => !droppedNames.has(name));
}

/** Writes an answer to the client; rejects when either side fails midway, the client's connection is dropped then. */
export async function relayAnswer(answer: ServiceAnswer, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, answer.reason, relayedHeaders(answer.rawHeaders));
  if (answer.body === null) {
    response.end();
    return;
  }
  // An event stream may say nothing for long.
  response.flushHeaders();
  await pipeline(answer.body, response);
}
