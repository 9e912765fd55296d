import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { after, listen, listenOnce } from "../unattended/guarded.ts";
import type { Target } from "./target.ts";
import { timerMilliseconds } from "./timeouts.ts";

/** Why a replica gave no answer. */
export type CallFailure = "unreachable" | "tls-failure" | "dropped" | "ill-formed" | "late";

/** What came of a call. */
type CallResult =
  | Readonly<{ kind: "answer"; message: http.IncomingMessage }>
  | Readonly<{ kind: "upgrade"; message: http.IncomingMessage; socket: Duplex; head: Buffer }>
  | Readonly<{ kind: CallFailure }>;

/** One call to a replica. */
type ReplicaCall = Readonly<{
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
    let timer = giveUpAfter(call.connectMilliseconds, "unreachable");
    listen(outgoing, "socket", (socket: Socket) => {
      if (target.isSecure) listenOnce(socket, "connect", () => (phase = "tls-failure"));
      listenOnce(socket, target.isSecure ? "secureConnect" : "connect", () => {
        phase = "dropped";
        clearTimeout(timer);
        timer = giveUpAfter(call.answerMilliseconds, "late");
        call.sendBody(outgoing);
      });
    });
    listen(outgoing, "response", (message: http.IncomingMessage) => settle({ kind: "answer", message }));
    listen(outgoing, "upgrade", (message: http.IncomingMessage, socket: Duplex, head: Buffer) => {
      settle({ kind: "upgrade", message, socket, head });
    });
    // Stays after the answer: an error without a listener would be uncaught.
    listen(outgoing, "error", (error: NodeJS.ErrnoException) =>
      settle({ kind: error.code?.startsWith("HPE_") === true ? "ill-formed" : phase }),
    );
    // Not every end of a connection is an error, e.g. an interim answer and then nothing.
    listen(outgoing, "close", () => settle({ kind: phase }));

    function settle(result: CallResult): void {
      clearTimeout(timer);
      resolve(result);
    }
    function giveUpAfter(milliseconds: number, kind: CallFailure): NodeJS.Timeout {
      return after(timerMilliseconds(milliseconds), () => {
        settle({ kind });
        outgoing.destroy();
      });
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
