import { expect } from "@jest/globals";
import type { DelegatingHandler } from "../../../src/index.ts";
import { ok, request, type Scene, type SceneOptions } from "../scene.ts";
import type { Wire } from "../wire.ts";

/** A program that misbehaves, and what its client gets. */
export type Row = Readonly<{
  name: string;
  options: SceneOptions;
  /** What the client sends; a GET where this is absent. */
  send?: string | Buffer;
  /** What the answer must hold, in this order, or how it ends. */
  gets: readonly string[] | "cut";
  /** How many requests reach the upstream. */
  calls?: number;
  /** The client goes away after a moment. */
  leaves?: true;
  more?: Check;
}>;

/** What else must hold. */
export type Check = (scene: Scene, wire: Wire) => Promise<void> | void;

/** Answers every request on every connection. */
export const answering =
  (answer = ok) =>
  ({ socket, write }: Wire): void => {
    socket.on("data", (bytes: string) => {
      bytes.match(/\r\n\r\n/g)?.forEach(() => write(answer));
    });
  };

/** What JavaScript lets a program throw, but no error handler expects. */
export const nothing = undefined as unknown as Error;
/** What Express takes for a way out of a router. */
export const wayOut = "router" as unknown as Error;
/** More than one packet. */
export const large = "x".repeat(1_000_000);
/** A request with a short body. */
export const post = `${request("POST", "/x", "Content-Length: 2")}ab`;

/** A row about a delegating handler. */
export function handled(name: string, handler: DelegatingHandler, gets: Row["gets"], more: Partial<Row> = {}): Row {
  return {
    name: `handler ${name}`,
    gets,
    ...more,
    options: { serveOne: answering(), ...more.options, gateway: { handlers: [handler] } },
  };
}

/** What reached the upstream holds these texts. */
export function arrives(...texts: readonly string[]): Check {
  return async ({ upstream }) => {
    const received = (await upstream.next()).received().toLowerCase();
    for (const text of texts) expect(received).toContain(text.toLowerCase());
  };
}

/** What reached the upstream does not hold these texts. */
export function lacks(...texts: readonly string[]): Check {
  return async ({ upstream }) => {
    const received = (await upstream.next()).received().toLowerCase();
    for (const text of texts) expect(received).not.toContain(text);
  };
}
