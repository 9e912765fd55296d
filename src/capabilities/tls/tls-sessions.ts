import type { TLSSocket } from "node:tls";
import { listen, listenOnce } from "../../unattended/guarded.ts";
import type { ConnectionSettings } from "./connection-settings.ts";

const mostSessions = 100;

// By the settings themselves: a session vouches for what was checked when it began, so that one without a check, with
// another authority or another certificate of our own must never serve a connection that asks for more.
const sessionsBySettings = new WeakMap<ConnectionSettings, Map<string, Buffer>>();

/** The session to go on with where the same settings have been at the same place before. */
export function findSession(settings: ConnectionSettings, place: string): Buffer | undefined {
  return sessionsBySettings.get(settings)?.get(place);
}

/** Keeps the session of a connection whose certificate was found good; forgets it where that fails. */
export function keepSession(socket: TLSSocket, settings: ConnectionSettings, place: string): void {
  let isSecure = false;
  let early: Buffer | undefined;
  listen(socket, "session", (session: Buffer) => {
    // In TLS 1.2 the session comes before the certificate is judged.
    if (isSecure) remember(settings, place, session);
    else early = session;
  });
  listenOnce(socket, "secureConnect", () => {
    isSecure = true;
    if (early !== undefined) remember(settings, place, early);
    early = undefined;
  });
  listenOnce(socket, "close", () => {
    if (!isSecure) sessionsBySettings.get(settings)?.delete(place);
  });
}

function remember(settings: ConnectionSettings, place: string, session: Buffer): void {
  const sessions = sessionsBySettings.get(settings) ?? new Map<string, Buffer>();
  sessionsBySettings.set(settings, sessions);
  // Put in anew, so that the map's first session is the one that was renewed the longest ago.
  sessions.delete(place);
  sessions.set(place, session);
  if (sessions.size > mostSessions) sessions.delete(sessions.keys().next().value!);
}
