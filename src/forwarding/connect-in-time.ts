import net from "node:net";
import tls from "node:tls";
import { after, listenOnce } from "../unattended/guarded.ts";
import type { ConnectionSettings } from "../capabilities/tls/connection-settings.ts";
import { findSession, keepSession } from "../capabilities/tls/tls-sessions.ts";
import { limitSessions } from "../too-many-tls-sessions.ts";
import { noteFailure } from "./failure-notes.ts";
import { lookUpBy } from "./forbidden-address-behind-name.ts";
import { readBeforeFailing } from "./read-answer-before-upload-fails.ts";

/** Where a connection goes. */
export type ConnectionTarget = Readonly<{ host: string; port: number; secure: boolean }>;

/** The code of the error of a connection that did not stand in time. */
export const connectTimeoutCode = "ERR_CONNECT_TIMEOUT";

/** Opens a connection that fails when it, or its TLS handshake, does not stand in time; its failure until then says so. */
export function openConnection(target: ConnectionTarget, settings: ConnectionSettings): net.Socket {
  const socket = target.secure
    ? openSecure(target, settings)
    : net.connect({ host: target.host, port: target.port, noDelay: true, lookup: lookUpBy(settings) });
  const timer = after(settings.connectTimeout, expire, socket);
  const marking = listenOnce(socket, "error", (error: Error) => noteFailure(error, { unconnected: true }));
  for (const event of [target.secure ? "secureConnect" : "connect", "close"]) listenOnce(socket, event, settle);
  readBeforeFailing(socket);
  return socket;

  function settle(): void {
    clearTimeout(timer);
    socket.off("error", marking);
  }

  function expire(): void {
    const error = new Error(`No connection to ${target.host}:${target.port} within ${settings.connectTimeout} ms.`);
    socket.destroy(Object.assign(error, { code: connectTimeoutCode }));
  }
}

function openSecure({ host, port }: ConnectionTarget, settings: ConnectionSettings): tls.TLSSocket {
  const { tls: options } = settings;
  const servername = options?.servername ?? (net.isIP(host) === 0 ? host : "");
  const place = `${host}:${port}:${servername}`;
  const session = findSession(settings, place);
  const resumed = session === undefined ? {} : { session };
  const socket = tls.connect({
    host,
    port,
    lookup: lookUpBy(settings),
    ALPNProtocols: ["http/1.1"],
    ...options,
    ...resumed,
    servername,
  });
  keepSession(socket, settings, place);
  limitSessions(socket);
  return socket;
}
