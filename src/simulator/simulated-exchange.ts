import type { IncomingMessage } from "node:http";
import type { EventEmitter } from "node:events";
import { ignoreErrors, listenOnce } from "../unattended/guarded.ts";
import { readGatewayQuery, splitAtFirst } from "./gateway-query.ts";
import { statusOfReason } from "./reasons.ts";
import type { OpenRequest, RequestLog } from "./received-requests.ts";
import type { Asked } from "./resolve.ts";
import { type Cluster, tryUntilSettled } from "./try-until-settled.ts";
import type { Settlement, Transport } from "./transport.ts";

/** What serving needs: the cluster, the log, and what is running, to be aborted when the simulator closes. */
export type Serving = Cluster & Readonly<{ requestLog: RequestLog; running: Set<AbortController> }>;

/** One received request; the signal aborts when the client has left or the simulator closes. */
type OpenExchange = Readonly<{ asked: Asked | undefined; log: OpenRequest; signal: AbortSignal }>;

type StatusLine = Readonly<{ status: number; reason: string }>;

const originInFront = /^https?:\/\/[^/?#]*/i;

/** Begins with a request; `client` is what emits `close` when the client is served or has left. */
export function openExchange(serving: Serving, request: IncomingMessage, client: EventEmitter): OpenExchange {
  const { method = "GET", url = "" } = request;
  const controller = new AbortController();
  serving.running.add(controller);
  listenOnce(client, "close", () => {
    serving.running.delete(controller);
    controller.abort();
  });
  // A client that leaves while it sends is no error of ours; without a listener it would be uncaught.
  ignoreErrors(request);
  ignoreErrors(client);
  return { asked: readAsked(url), log: serving.requestLog.open(method, url), signal: controller.signal };
}

/** Settles and logs; what goes wrong unforeseen is a 500, a client that has left a dropped connection. */
export async function settleExchange<Answer>(
  serving: Serving,
  exchange: OpenExchange,
  transport: Transport<Answer>,
  statusLineOf: (answer: Answer) => StatusLine,
): Promise<Settlement<Answer>> {
  const settlement = await settleSafely(serving, exchange, transport);
  if (settlement !== "drop") {
    const line =
      "refused" in settlement
        ? { status: statusOfReason[settlement.refused], reason: settlement.refused }
        : statusLineOf(settlement.answer);
    Object.assign(exchange.log, line);
  }
  serving.requestLog.settled(exchange.log);
  return settlement;
}

async function settleSafely<Answer>(
  serving: Serving,
  { asked, log, signal }: OpenExchange,
  transport: Transport<Answer>,
): Promise<Settlement<Answer>> {
  if (asked === undefined) return { refused: "FABRIC_E_INVALID_ADDRESS" };
  try {
    return await tryUntilSettled(serving, { asked, log, signal }, transport);
  } catch {
    return signal.aborted ? "drop" : { refused: "Internal Server Error" };
  }
}

/** Undefined when the target has no path, or its query is ill-formed. */
function readAsked(url: string): Asked | undefined {
  const [path, query] = splitAtFirst(url.replace(originInFront, ""), "?");
  const gatewayQuery = readGatewayQuery(query);
  return path.startsWith("/") && gatewayQuery !== undefined ? { path, query: gatewayQuery } : undefined;
}
