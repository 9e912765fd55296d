import type { Readable } from "node:stream";
import type { AnswerBody } from "../../bodies/answer-body.ts";
import type { ConnectionSettings } from "../../capabilities/tls/connection-settings.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";

/** What an engine is told besides the request. */
export type EngineContext = Readonly<{
  connection: ConnectionSettings;
  /** Calls the listener when the exchange ends early; the engine then destroys what it has open and rejects. */
  onCancel: (listener: (reason: Error) => void) => void;
}>;

/** What an engine answers. */
export type EngineAnswer = Readonly<{
  status: number;
  statusText: string;
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[];
  body: Readable | AnswerBody;
  /** The trailers, complete once the body has ended. */
  trailers: () => readonly string[];
}>;

/** An error of an engine; what the caller needs to know of it is noted beside it. */
export type EngineFailure = Error & { code?: string };

/** Sends finished requests upstream; knows nothing of routes. Belongs to one gateway, which closes it. */
export type Engine = Readonly<{
  forward: (outgoing: Readonly<OutgoingRequest>, context: EngineContext) => Promise<EngineAnswer>;
  /** Called when no route uses these settings any more: kept connections may go; what runs over others ends as usual. */
  release?: (connection: ConnectionSettings) => void;
  close: () => Promise<void>;
}>;
