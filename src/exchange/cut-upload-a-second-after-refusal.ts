import type { IncomingMessage, ServerResponse } from "node:http";
import { answerError } from "../answers/answer-error.ts";
import { cutConnection } from "../answers/cut-connection.ts";
import { sealAnswer } from "../answers/seal-answer.ts";
import { after, listenOnce } from "../unattended/guarded.ts";
import { discardRest } from "../bodies/uploads/discard-rest-of-upload.ts";
import { silenceErrors } from "../bodies/with-code/silence.ts";

const lingerMilliseconds = 1_000;

/**
 * Answers a client that is still uploading what was refused. Node closes the connection behind such an answer, whatever
 * is still being uploaded. A connection that is closed with unread bytes is reset, and the reset overtakes the answer: so
 * what comes in is thrown away for a moment longer. Where user code is at work, the answer is sealed from it; where that
 * cannot be, as other middleware keeps its head back, there is none.
 */
export function refuseUpload(error: unknown, req: IncomingMessage, res: ServerResponse, isSealed: boolean): void {
  res.setHeader("connection", "close");
  answerError(error, req, res, function endLater(body) {
    if (body === undefined) res.flushHeaders();
    else res.write(body);
    if (isSealed && !res.headersSent) {
      cutConnection(res);
      return;
    }
    const end = isSealed ? sealAnswer(res) : () => void res.end();
    const timer = after(lingerMilliseconds, end, res);
    listenOnce(res, "close", () => clearTimeout(timer));
    listenOnce(req, "end", end);
    // Nobody is to go on with what was refused.
    req.unpipe();
    discardRest(req);
    // Node lets it fail when the client closes behind its answer, which `node:readline` would hand on to nobody.
    silenceErrors(req);
  });
}
