import { askTwice } from "./retry-over-new-connection.ts";
import type { Call, Scope } from "./call.ts";
import type { EngineAnswer } from "./engines/engine.ts";
import { goToNextHostIfRefused } from "./next-host-if-refused.ts";
import type { SendSettings } from "./send-settings.ts";
import { makeRoomWhileUploading } from "./let-others-try-while-uploading.ts";

/** Sends what stands in a call; what it opens ends with the scope at the latest. */
type Send = (call: Call, scope: Scope) => Promise<EngineAnswer>;

/** How a call gets a connection on which it can be sent. */
export type ConnectionTries = Readonly<{
  /** To the host of the call: once more, where a kept connection was closed before the request had come. */
  send: Send;
  /** The same, and to the next host where the first one refuses the connection. */
  sendAnywhere: Send;
}>;

/** Prepares how calls get connections: where there is room for one, once more, and at the next host. */
export function createConnectionTries({
  engine,
  connection,
  hosts,
  places,
}: Pick<SendSettings, "engine" | "connection" | "hosts" | "places">): ConnectionTries {
  return { send, sendAnywhere };

  async function sendAnywhere(call: Call, scope: Scope): Promise<EngineAnswer> {
    try {
      return await send(call, scope);
    } catch (failure) {
      if (!goToNextHostIfRefused(failure, call, hosts)) throw failure;
      return forward(call, scope);
    }
  }

  function send(call: Call, scope: Scope): Promise<EngineAnswer> {
    return askTwice(() => forward(call, scope), call);
  }

  function forward(call: Call, { onCancel }: Scope): Promise<EngineAnswer> {
    const { outgoing, asker } = call;
    makeRoomWhileUploading(call);
    const context = { connection, onCancel };
    if (places === undefined) return engine.forward(outgoing, context);
    const seeker = { exchange: asker, origin: outgoing.origin, onCancel };
    const since = performance.now();
    call.line = { since, until: Infinity };
    return places.withPlace(seeker, () => {
      call.line = { since, until: performance.now() };
      return engine.forward(outgoing, context);
    });
  }
}
