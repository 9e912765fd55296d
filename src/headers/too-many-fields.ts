import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Headers } from "../delegating-handler.ts";
import { RequestError } from "../errors.ts";

/** What Node's servers keep on their connections. */
type ServedSocket = Socket & Readonly<{ server?: Readonly<{ maxHeadersCount?: number | null }> }>;

// What Node reads of a request or an answer where it is told nothing else.
const usualMost = 1_000;

/**
 * Whether Node may have left out header fields of a request: all that a server reads are there. `headers` then lacks some
 * that `rawHeaders` has, or both lack what the parser has framed the body by. Later versions refuse such a request.
 */
export function mayLackFields({ rawHeaders, socket }: IncomingMessage): boolean {
  const most = mostOf(socket);
  return most > 0 && rawHeaders.length >= most * 2;
}

// Nothing but a client makes a head long: what a route adds is far less.
const fieldsWorthCounting = 500;

/** What an engine may add to a head: `Connection`, `Upgrade`, `Transfer-Encoding` and the like. */
const fieldsOfEngines = 4;

/**
 * Refuses a head of which a service may leave out fields: earlier releases of Node do so silently, and those that the
 * gateway has set stand last. A server that reads more tells that its services do as well.
 */
export function refuseTooManyOutgoing(headers: Headers, { rawHeaders, socket }: IncomingMessage): void {
  if (rawHeaders.length < fieldsWorthCounting * 2) return;
  const most = mostOf(socket);
  if (most > 0 && countFields(headers) + fieldsOfEngines >= Math.max(most, usualMost)) {
    throw new RequestError(
      "header-too-large",
      "With those that the gateway adds, the request has as many header fields as services read, or more.",
    );
  }
}

function mostOf(socket: Socket): number {
  return (socket as ServedSocket).server?.maxHeadersCount ?? usualMost;
}

function countFields(headers: Headers): number {
  return Object.values(headers).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0);
}

/** The refusal of such a request. */
export function tooManyFields(): RequestError {
  return new RequestError("header-too-large", "The request has as many header fields as the server reads, or more.");
}

/** Whether Node may have left out header fields of an answer, one of which may have said that it is for nobody else. */
export function mayLackAnswerFields(rawHeaders: readonly string[]): boolean {
  return rawHeaders.length >= usualMost * 2;
}
