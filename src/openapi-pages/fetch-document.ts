import type { Receive } from "../asking/receive-in-share.ts";
import type { Apart } from "../compiling/compile-own-pages.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import { OverloadError } from "../errors.ts";
import { askTwice } from "../forwarding/retry-over-new-connection.ts";
import { mapFailure } from "../forwarding/upstream-failure-messages.ts";
import { isOwnLack } from "../forwarding/no-room-for-connections.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import { hostOf } from "../hosts/host-origin.ts";
import { isFault } from "../openapi/reading/document-fault.ts";
import { withinTime } from "../unattended/within-time.ts";
import { type DocumentBody, mostBytes, openDocument, tooLong } from "./document-body.ts";
import { shortBytes, type TurnsOfDocument } from "./turns-of-document.ts";

/** Who asks a service for a document, over which route, for whom, and when the document may be read. */
type DocumentQuestion = Readonly<{
  engine: Apart["engine"];
  route: CompiledRoute;
  seeker: HostSeeker;
  receive: Receive;
  turns: Pick<TurnsOfDocument, "enter" | "goOnAsLong">;
}>;

/** Waits for the service. */
type WaitFor = <Answer>(answer: Promise<Answer>) => Promise<Answer>;

/** The bytes of a document, or why there are none; what fails otherwise is thrown. */
type FetchedDocument = Buffer | Readonly<{ fault: string }>;

const patienceMilliseconds = 10_000;
const accepted = "application/json, application/yaml;q=0.9, */*;q=0.5";

/** Asks a service for a document; nothing of the client's goes along, and no redirect is followed. */
export async function fetchDocument(question: DocumentQuestion): Promise<FetchedDocument> {
  const { engine, route, seeker, receive, turns } = question;
  const { hosts } = route.sending();
  await hosts.ready();
  const lease = hosts.choose(seeker);
  const listeners: ((reason: Error) => void)[] = [];
  const giveUp = (reason: Error): void => listeners.splice(0).forEach((tell) => tell(reason));
  const context = { connection: route.connection, onCancel: (one: (reason: Error) => void) => listeners.push(one) };
  const waitFor = createPatience(giveUp);
  try {
    const outgoing = outgoingTo(lease.origin, route);
    const opened = askTwice(() => engine.forward(outgoing, context), { outgoing }).then((answer) => {
      lease.answered(answer.status);
      return openDocument(answer, receive);
    });
    const body = await waitFor(opened);
    return isFault(body) ? body : await readInTurn(body, turns, waitFor);
  } catch (failure) {
    if (!isOwnLack(failure) && !(failure instanceof OverloadError)) lease.failed();
    throw mapFailure(failure);
  } finally {
    giveUp(new Error("The document is read, or not needed any more."));
    lease.release();
  }
}

/** What a document waits for in between is no time that its service takes. */
function createPatience(giveUp: (reason: Error) => void): WaitFor {
  let left = patienceMilliseconds;
  return async function waitFor(answer) {
    const began = performance.now();
    const got = await withinTime(answer, left, giveUp);
    left -= performance.now() - began;
    return got;
  };
}

async function readInTurn(
  body: DocumentBody,
  turns: DocumentQuestion["turns"],
  waitFor: WaitFor,
): Promise<FetchedDocument> {
  try {
    await turns.enter();
    if (await waitFor(body.isLongerThan(shortBytes))) {
      await turns.goOnAsLong();
      if (await waitFor(body.isLongerThan(mostBytes))) return tooLong;
    }
    return body.take();
  } finally {
    body.close();
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
