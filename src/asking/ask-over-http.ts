import type { ClientRequest, IncomingMessage } from "node:http";
import { keepIfClean, watchBytesOnce } from "../clean-connections.ts";
import { takeInFewPieces } from "../bodies/pieces/take-in-few-pieces.ts";
import { limitInterims } from "../interim-answers.ts";
import { limitSessions } from "../too-many-tls-sessions.ts";
import { guard, listen, listenOnce } from "../unattended/guarded.ts";
import type { Receive } from "./receive-in-share.ts";

/** How a question is asked, and how its failures are told. */
type Terms = Readonly<{
  body?: string;
  /** Milliseconds until the answer must be over. */
  within: number;
  receive: Receive;
  notInTime: () => Error;
  notAnswered: () => Error;
}>;

/** Sends a question of the gateway's own, and reads its answer; whatever comes of it, nothing goes on behind it. */
export async function askOverHttp<Result>(
  sent: ClientRequest,
  terms: Terms,
  read: (answer: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  const answer = awaitAnswer(sent, terms);
  const time = AbortSignal.timeout(terms.within);
  const giveUp = guard(() => {
    const late = terms.notInTime();
    // What waits for a connection fails only once it has one.
    answer.reject(late);
    sent.destroy(late);
  });
  time.addEventListener("abort", giveUp);
  try {
    sent.end(terms.body);
    return await read(await answer.promise);
  } finally {
    time.removeEventListener("abort", giveUp);
    sent.destroy();
  }
}

function awaitAnswer(
  sent: ClientRequest,
  { receive, notAnswered }: Terms,
): Pick<PromiseWithResolvers<IncomingMessage>, "promise" | "reject"> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  listenOnce(sent, "socket", (socket: NonNullable<ClientRequest["socket"]>) => {
    limitSessions(socket);
    watchBytesOnce(socket);
    receive(socket, sent);
  });
  listenOnce(sent, "response", (response: IncomingMessage) => {
    keepIfClean(sent, response);
    takeInFewPieces(response);
    resolve(response);
  });
  limitInterims(sent, reject);
  // Stays for what fails later: the answer tells its reader then.
  listen(sent, "error", reject);
  // Who switches protocols unasked ends a request with neither an answer nor an error.
  listenOnce(sent, "close", () => reject(notAnswered()));
  return { promise, reject };
}
