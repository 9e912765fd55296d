import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { openExchange, settleExchange, type Serving } from "./simulated-exchange.ts";
import { requestTransport } from "./forward-request.ts";
import { statusOfReason, type Reason } from "./reasons.ts";
import { hasForwardedBody } from "./request-headers.ts";
import { relayAnswer } from "./service-answer.ts";

/** Answers an ordinary request; never rejects. */
export async function serveRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = openExchange(serving, request, response);
  if (!hasForwardedBody(request)) request.resume();
  const transport = requestTransport(request, serving.timeouts, exchange.signal);
  const settlement = await settleExchange(serving, exchange, transport, ({ status, reason }) => ({ status, reason }));
  if (settlement === "drop") response.destroy();
  else if ("refused" in settlement) reply(response, statusOfReason[settlement.refused], settlement.refused);
  else await relayAnswer(settlement.answer, response).catch(() => failMidway(response));
  // What is left of the body must not block the next request of the connection.
  request.unpipe();
  request.resume();
}

/** Answers with a status and an empty body. */
export function reply(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, reason, { "Content-Length": "0" });
  response.end();
}

/** The service's head could not be written, or its body broke off: too late for a status in the second case. */
function failMidway(response: ServerResponse): void {
  const reason: Reason = "Internal Server Error";
  if (response.headersSent || response.destroyed) response.destroy();
  else reply(response, statusOfReason[reason], STATUS_CODES[500] ?? reason);
}
