import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { Receive } from "../asking/receive-in-share.ts";
import { takeInFewPieces } from "../bodies/take-in-few-pieces.ts";
import { gatherUpTo } from "../bodies/gather-up-to.ts";
import { isAtParser } from "../bodies/is-at-parser.ts";
import { undoCoding } from "../bodies/undo-coding.ts";
import type { Apart } from "../compiling/compile-own-pages.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import { askTwice } from "../forwarding/retry-over-new-connection.ts";
import type { EngineAnswer } from "../forwarding/engines/engine.ts";
import { mapFailure } from "../forwarding/upstream-failure-messages.ts";
import { isOwnLack } from "../forwarding/no-room-for-connections.ts";
import { readAnswerHeaders } from "../headers/answer-headers.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import { hostOf } from "../hosts/host-origin.ts";
import { ignoreErrors } from "../unattended/guarded.ts";
import { withinTime } from "../unattended/within-time.ts";

/** Who asks a service for a document, over which route, and for whom. */
type DocumentQuestion = Readonly<{
  engine: Apart["engine"];
  route: CompiledRoute;
  seeker: HostSeeker;
  receive: Receive;
}>;

/** The bytes of a document, or why there are none; what fails otherwise is thrown. */
type FetchedDocument = Buffer | Readonly<{ fault: string }>;

const mostBytes = 8 * 1_024 * 1_024;
const patienceMilliseconds = 10_000;
const accepted = "application/json, application/yaml;q=0.9, */*;q=0.5";

/** Asks a service for a document; nothing of the client's goes along, and no redirect is followed. */
export async function fetchDocument(question: DocumentQuestion): Promise<FetchedDocument> {
  const { engine, route, seeker, receive } = question;
  const { hosts } = route.sending();
  await hosts.ready();
  const lease = hosts.choose(seeker);
  const listeners: ((reason: Error) => void)[] = [];
  const giveUp = (reason: Error): void => listeners.splice(0).forEach((tell) => tell(reason));
  const context = { connection: route.connection, onCancel: (one: (reason: Error) => void) => listeners.push(one) };
  try {
    const outgoing = outgoingTo(lease.origin, route);
    const answered = askTwice(() => engine.forward(outgoing, context), { outgoing }).then((answer) => {
      lease.answered(answer.status);
      return readAnswer(answer, receive);
    });
    return await withinTime(answered, patienceMilliseconds, giveUp);
  } catch (failure) {
    if (!isOwnLack(failure)) lease.failed();
    throw mapFailure(failure);
  } finally {
    giveUp(new Error("The document is read, or not needed any more."));
    lease.release();
  }
}

function outgoingTo(origin: string, { target }: CompiledRoute): Parameters<Apart["engine"]["forward"]>[0] {
  const nothing = { values: { captured: {}, current: {} }, path: "/", query: undefined };
  const { path } = target().resolvePath(nothing);
  // Some services answer no one who does not say what is asking.
  const headers = {
    host: hostOf(origin),
    accept: accepted,
    "accept-encoding": "identity",
    "user-agent": "waymark",
  };
  return { method: "GET", origin, path, headers, body: null };
}

async function readAnswer({ status, rawHeaders, body }: EngineAnswer, receive: Receive): Promise<FetchedDocument> {
  const stream = body instanceof Readable ? body : body.toStream();
  if (stream instanceof IncomingMessage && isAtParser(stream)) {
    takeInFewPieces(stream);
    receive(stream.socket, stream);
  }
  ignoreErrors(stream);
  if (status !== 200) {
    stream.destroy();
    const isRedirect = status >= 300 && status < 400;
    return { fault: `the service answers ${status}${isRedirect ? ", and redirects are not followed" : ""}` };
  }
  const bytes = await gatherUpTo(stream, { mostBytes });
  const { "content-encoding": coding } = readAnswerHeaders(rawHeaders);
  const plain = bytes === undefined ? undefined : await undoCoding(bytes, coding, { mostBytes });
  return plain ?? { fault: `it has more than ${mostBytes / 1_048_576} MiB, or a coding that cannot be undone` };
}
