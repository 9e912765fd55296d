import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import type { Target } from "./target.ts";
import { timerMilliseconds } from "./timeouts.ts";

/** Why a replica gave no answer. */
export type CallFailure = "unreachable" | "tls-failure" | "dropped" | "ill-formed" | "late";

/** What came of a call. */
export type CallResult =
  | Readonly<{ kind: "answer"; message: http.IncomingMessage }>
  | Readonly<{ kind: "upgrade"; message: http.IncomingMessage; socket: Duplex; head: Buffer }>
  | Readonly<{ kind: CallFailure }>;

/** One call to a replica. */
export type ReplicaCall = Readonly<{
  method: string;
  headers: readonly string[];
  connectMilliseconds: number;
  /** From the connection to the answer's header. */
  answerMilliseconds: number;
  signal: AbortSignal;
  /** Called once the connection stands: before, nothing of the client's body may be used up. */
  sendBody: (outgoing: http.ClientRequest) => void;
}>;

/** Calls a replica on a connection of its own; never rejects. */
export function callReplica(target: Target, call: ReplicaCall): Promise<CallResult> {
  return new Promise((resolve) => {
    const outgoing = openRequest(target, call);
    let phase: CallFailure = "unreachable";
    let timer = setTimeout(giveUp, timerMilliseconds(call.connectMilliseconds), "unreachable");
    outgoing.on("socket", (socket) => {
      if (target.isSecure) socket.once("connect", () => (phase = "tls-failure"));
      socket.once(target.isSecure ? "secureConnect" : "connect", () => {
        phase = "dropped";
        clearTimeout(timer);
        timer = setTimeout(giveUp, timerMilliseconds(call.answerMilliseconds), "late");
        call.sendBody(outgoing);
      });
    });
    outgoing.on("response", (message) => settle({ kind: "answer", message }));
    outgoing.on("upgrade", (message, socket, head) => settle({ kind: "upgrade", message, socket, head }));
    // Stays after the answer: an error without a listener would be uncaught.
    outgoing.on("error", (error: NodeJS.ErrnoException) =>
      settle({ kind: error.code?.startsWith("HPE_") === true ? "ill-formed" : phase }),
    );
    // Not every end of a connection is an error, e.g. an interim answer and then nothing.
    outgoing.on("close", () => settle({ kind: phase }));

    function settle(result: CallResult): void {
      clearTimeout(timer);
      resolve(result);
    }
    function giveUp(kind: CallFailure): void {
      settle({ kind });
      outgoing.destroy();
    }
  });
}

function openRequest(target: Target, call: ReplicaCall): http.ClientRequest {
  const { request } = target.isSecure ? https : http;
  return request({
    method: call.method,
    hostname: target.hostname,
    port: target.port,
    path: target.path,
    headers: call.headers,
    signal: call.signal,
    agent: false,
    // The real one's default validation policy is "None".
    rejectUnauthorized: false,
  });
}
