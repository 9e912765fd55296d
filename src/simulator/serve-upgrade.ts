import { ServerResponse, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ignoreErrors, listenOnce } from "../unattended/guarded.ts";
import { openExchange, settleExchange, type Serving } from "./simulated-exchange.ts";
import { statusOfReason } from "./reasons.ts";
import { isWebSocketUpgrade, upgradeHead, upgradeTransport, type UpgradeAnswer } from "./relay-upgrade.ts";
import { reply, serveRequest } from "./serve-request.ts";
import { timerMilliseconds } from "./timeouts.ts";
import { tunnel } from "./tunnel.ts";

/** Answers a request that asks to upgrade; never rejects. */
export async function serveUpgrade(
  serving: Serving,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<void> {
  const response = responseOn(socket, request);
  if (response === undefined) return;
  if (!isWebSocketUpgrade(request)) return serveRequest(serving, request, response);

  const exchange = openExchange(serving, request, socket);
  // While nothing is read from it, only its end tells that the client has left.
  const leaving = listenOnce(socket, "end", () => socket.destroy());
  const transport = upgradeTransport(request, serving.timeouts, exchange.signal);
  const settlement = await settleExchange(serving, exchange, transport, statusLine);
  socket.off("end", leaving);
  if (settlement === "drop") socket.destroy();
  else if ("refused" in settlement) reply(response, statusOfReason[settlement.refused], settlement.refused);
  else if (!settlement.answer.isOpen) reply(response, settlement.answer.status, "");
  else {
    response.detachSocket(socket);
    openTunnel(socket, head, settlement.answer);
  }

  function openTunnel(client: Socket, early: Buffer, { message, socket: service, head: first }: OpenAnswer): void {
    client.write(upgradeHead(message), "latin1");
    client.write(first);
    service.write(early);
    tunnel(client, service, {
      closeMilliseconds: timerMilliseconds(serving.timeouts.webSocketClose * 1000),
      signal: exchange.signal,
    });
  }
}

type OpenAnswer = Extract<UpgradeAnswer, { isOpen: true }>;

function statusLine(answer: UpgradeAnswer): Readonly<{ status: number; reason: string }> {
  return answer.isOpen ? { status: 101, reason: "Switching Protocols" } : { status: answer.status, reason: "" };
}

/**
 * Node hands over a bare socket; a response on it writes ordinary answers, and the connection ends with it. Undefined behind
 * a request that is still to be answered: there is no order in which both could be, and the connection is cut.
 */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse | undefined {
  const response = new ServerResponse(request);
  try {
    response.assignSocket(socket);
  } catch {
    ignoreErrors(socket);
    socket.destroy();
    return undefined;
  }
  response.shouldKeepAlive = false;
  listenOnce(response, "finish", () => {
    response.detachSocket(socket);
    socket.destroySoon();
    // As Node's own server does after the last byte.
    response.emit("close");
  });
  return response;
}
