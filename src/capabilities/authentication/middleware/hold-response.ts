import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type Locals, takePlaceholders } from "../../../exchange/expose-match.ts";
import { takeBackHeaders } from "../../../exchange/restore-headers.ts";
import { listenOnce, rightAfter } from "../../../unattended/guarded.ts";
import { describesAnswer, isOfAnswer, whileItWrites } from "./late-settings.ts";
import { changedMembers, setForAWhile } from "./temporary-members.ts";
import { recordAnswer, type RecordingEnd } from "./record-answer.ts";
import { type Holding, showResponse } from "./show-response.ts";

/** A response that middleware may write to, and that reaches nobody until it is let through. */
type HeldResponse = Readonly<{
  res: ServerResponse;
  /**
   * Sets on the true response what was set here. What middleware has put in the place of its functions, to set a cookie
   * with the head or to save a session at the end, acts on the true answer. The function that comes back takes it away.
   */
  letThrough: () => () => void;
  /** Tells listeners that nobody waits for an answer any more. */
  close: () => void;
}>;

type WithLocals = ServerResponse & { locals: Locals & { placeholders: Record<string, string> } };

/** Makes the response of one scheme for one request. */
export function holdResponse(req: IncomingMessage, given: ServerResponse, end: RecordingEnd): HeldResponse {
  const recording = recordAnswer(req, given, end) as WithLocals;
  const { placeholders } = (given as WithLocals).locals;
  recording.locals = {
    ...(given as WithLocals).locals,
    placeholders: Object.assign(Object.create(null) as object, placeholders),
  };
  const first = { names: new Set(Object.keys(recording)), headers: headersBesideAnswer(recording) };
  const holding: Holding = { recording, given, replaced: new Set(), originals: new Map(), isHeld: true, writing: 0 };
  const closing = listenOnce(given, "close", tellClosed);
  return { res: showResponse(holding), letThrough, close };

  function letThrough(): () => void {
    const { replaced, originals } = holding;
    holding.isHeld = false;
    // Who has corked the one uncorks the other.
    for (let corks = recording.writableCorked; corks > 0; corks -= 1) given.cork();
    for (const name of replaced) originals.set(name, Reflect.get(given, name));
    const names = Object.keys(recording).filter(
      (name) => replaced.has(name) || (!first.names.has(name) && !isOfAnswer(name)),
    );
    const members = Object.fromEntries(
      names.map((name) => [name, whileItWrites(holding, name, Reflect.get(recording, name))]),
    );
    const { locals } = given as WithLocals;
    takePlaceholders(placeholders, recording.locals);
    const layers = [
      setForAWhile(given, Object.getOwnPropertyDescriptors(members)),
      setForAWhile(locals, changedMembers(recording.locals, locals)),
      setHeaders(),
    ];
    listenOnce(given, "finish", () => void recording.emit("finish"));
    return () => layers.forEach((takeAway) => takeAway());
  }

  function setHeaders(): () => void {
    const { headers: before } = first;
    const after = headersBesideAnswer(recording);
    for (const [name, value] of Object.entries(after)) if (value !== before[name]) given.setHeader(name, value!);
    for (const name of Object.keys(before)) if (after[name] === undefined) given.removeHeader(name);
    return () => takeBackHeaders(given, { before, after });
  }

  function close(): void {
    given.off("close", closing);
    tellClosed();
  }

  function tellClosed(): void {
    rightAfter(() => void recording.emit("close"));
  }
}

/** The headers of a response but those that describe the one answer which is recorded. */
function headersBesideAnswer(res: ServerResponse): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(res.getHeaders()).filter(([name]) => !describesAnswer(name)));
}
