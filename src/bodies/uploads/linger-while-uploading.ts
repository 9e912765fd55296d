import type { IncomingMessage, ServerResponse } from "node:http";
import { giveBackConnection } from "../../give-back-connection.ts";
import { listen, listenOnce } from "../../unattended/guarded.ts";
import { discardRest } from "./discard-rest-of-upload.ts";

// As long as Node's servers wait by default for a kept connection to go on.
const longestSilence = 5_000;

/**
 * How a response knows that its connection closes behind it: `_last` as Node has written it into the head (seen in 20 to
 * 24), and the wish of the client while middleware keeps the head back. Those of HTTP/2 have neither.
 */
type LastResponse = { readonly shouldKeepAlive?: boolean; readonly _last?: boolean };

/**
 * Sees to it that a client that is still uploading can read the last answer of its connection. Node closes the connection
 * as soon as such an answer is out. One that is closed with unread bytes is reset, and the reset overtakes the answer: so
 * the gateway closes its own side alone, and throws away what comes in until the client closes its side, too.
 */
export function lingerWhileUploading(res: ServerResponse): void {
  const { shouldKeepAlive, _last: isLast } = res as LastResponse;
  if (shouldKeepAlive !== false && isLast !== true) return;
  const { req } = res;
  if (req.complete) return;
  giveBackConnection(req);
  const { socket } = req;
  const destroySoon = Reflect.get<typeof socket, "destroySoon">(socket, "destroySoon");
  // By this function alone Node closes a connection behind its last answer (seen in 20 to 24).
  socket.destroySoon = function destroyBehindUpload(): void {
    socket.destroySoon = destroySoon;
    // A body that came with the head is not complete before the next turn.
    if (req.complete) socket.destroySoon();
    else closeOwnSide(req);
  };
}

function closeOwnSide(req: IncomingMessage): void {
  const { socket } = req;
  const destroy = (): unknown => socket.destroy();
  // Node's parser would find further requests behind the upload, and the app would carry them out.
  socket.removeAllListeners("data").removeAllListeners("end");
  listen(socket, "data", discard);
  // Node may have stopped, as nobody took the upload: the piece that the stream has asked for does not come then, and an
  // empty one lets it ask anew.
  socket.push("");
  listenOnce(socket, "end", destroy);
  listenOnce(socket.setTimeout(longestSilence), "timeout", destroy);
  socket.end();
  discardRest(req);
  socket.resume();
}

function discard(): void {
  // Nobody wants it.
}
