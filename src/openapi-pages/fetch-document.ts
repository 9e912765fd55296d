import type { Receive } from "../asking/receive-in-share.ts";
import type { Apart } from "../compiling/compile-own-pages.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import { askTwice } from "../forwarding/retry-over-new-connection.ts";
import { mapFailure } from "../forwarding/upstream-failure-messages.ts";
import { isOwnLack } from "../forwarding/no-room-for-connections.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import { hostOf } from "../hosts/host-origin.ts";
import { isFault } from "../openapi/reading/document-fault.ts";
import { type DocumentBody, mostBytes, openDocument, tooLong } from "./document-body.ts";
import { createPatience, type Patience } from "./patience.ts";
import { shortBytes, type TurnsOfDocument } from "./turns-of-document.ts";
import { watchPace } from "./watch-pace.ts";

/** Who asks a service for a document, over which route, for whom, and when the document may be read. */
type DocumentQuestion = Readonly<{
  engine: Apart["engine"];
  route: CompiledRoute;
  seeker: HostSeeker;
  receive: Receive;
  turns: Pick<TurnsOfDocument, "enter" | "goOnAsLong" | "areAwaited">;
}>;

/** The bytes of a document, or why there are none; what fails otherwise is thrown. */
type FetchedDocument = Buffer | Readonly<{ fault: string }>;

const accepted = "application/json, application/yaml;q=0.9, */*;q=0.5";

/** Asks a service for a document; nothing of the client's goes along, and no redirect is followed. */
export async function fetchDocument(question: DocumentQuestion): Promise<FetchedDocument> {
  const { engine, route, seeker, receive, turns } = question;
  const { hosts } = route.sending();
  await hosts.ready();
  const lease = hosts.choose(seeker);
  const patience = createPatience();
  const context = { connection: route.connection, onCancel: patience.onGivenUp };
  try {
    const outgoing = outgoingTo(lease.origin, route);
    const opened = askTwice(() => engine.forward(outgoing, context), { outgoing }).then((answer) => {
      lease.answered(answer.status, outgoing.method);
      return openDocument(answer, receive);
    });
    const body = await patience.waitFor(opened).catch((failure: unknown) => {
      // Once an answer has begun, no failure counts: the gateway itself gives documents up while others wait.
      if (!isOwnLack(failure)) lease.failed();
      throw failure;
    });
    return isFault(body) ? body : await readInTurn(body, turns, patience);
  } catch (failure) {
    throw mapFailure(failure);
  } finally {
    patience.giveUp(new Error("The document is read, or not needed any more."));
    lease.release();
  }
}

async function readInTurn(
  body: DocumentBody,
  turns: DocumentQuestion["turns"],
  patience: Patience,
): Promise<FetchedDocument> {
  try {
    await turns.enter();
    if (await patience.waitFor(body.isLongerThan(shortBytes))) {
      await turns.goOnAsLong();
      if (await readRest(body, turns, patience)) return tooLong;
    }
    return body.take();
  } finally {
    body.close();
  }
}

/** Reads what a long document has behind its first bytes, and tells whether it is too long. */
async function readRest(
  body: DocumentBody,
  { areAwaited }: DocumentQuestion["turns"],
  { waitFor, giveUp }: Patience,
): Promise<boolean> {
  const stopWatching = watchPace({ areOthersWaiting: areAwaited, readBytes: body.readBytes, giveUp });
  try {
    return await waitFor(body.isLongerThan(mostBytes));
  } finally {
    stopWatching();
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
