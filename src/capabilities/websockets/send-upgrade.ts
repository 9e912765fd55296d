import type { UpstreamResponse } from "../../delegating-handler.ts";
import { findUpgrade } from "./upgrade-request.ts";
import { createHandshake } from "./handshake.ts";
import type { Call } from "../../forwarding/call.ts";
import { createSendRequest } from "../../forwarding/send-request.ts";
import type { SendSettings } from "../../forwarding/send-settings.ts";

/** Prepares how a route that upgrades sends: handshakes by the same rules as requests, but never through an engine. */
export function createSendUpgrade(settings: SendSettings): (call: Call) => Promise<UpstreamResponse> {
  const sendRequest = createSendRequest(settings);
  return function sendUpgrade(call) {
    const upgrade = findUpgrade(call.req);
    if (upgrade === undefined) return sendRequest(call);
    const engine = createHandshake(upgrade, call);
    // No browser follows a handshake elsewhere, and a WebSocket has a connection of its own.
    return createSendRequest({ ...settings, engine, upgrades: true, redirects: undefined, places: undefined })(call);
  };
}
