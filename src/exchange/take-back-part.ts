import type { ServerResponse } from "node:http";
import { showResponseToPart } from "../bodies/responses/response-of-part.ts";
import { isSameIdentity } from "../identity/same-identity.ts";
import type { PartExchange } from "./begin-part.ts";
import type { Exchange } from "./exchange.ts";
import type { LooseResponse } from "./expose-match.ts";
import { keepMembers } from "./locals-of-part.ts";
import type { MembersOfPart } from "./members-of-part.ts";
import { createPartRequest } from "./part-request.ts";
import type { OfPart } from "./send-part.ts";
import { noteFound } from "./set-identity.ts";

/** A call that has begun, and what is set on the request for it, unless it is that of the only part. */
export type Begun = Readonly<{ call: PartExchange; members: MembersOfPart | undefined }>;

/**
 * Makes what lets request and response be the whole's again; the part's own, with what was set for the part, comes back, and
 * the whole and all parts are told whom it has found.
 */
export function createTakeBack(whole: Exchange): (begun: Begun) => OfPart {
  const tellIdentity = createIdentityOfWhole(whole.context.res);
  return function takeBackAndTell(begun) {
    const own = takeBack(begun, whole);
    tellIdentity(begun.call);
    return own;
  };
}

function takeBack({ call, members }: Begun, whole: Exchange): OfPart {
  const { req: given, res } = whole.context;
  const locals = call.locals.present();
  const req = members === undefined ? given : createPartRequest(given, members.takeBack());
  if (members === undefined) call.locals.leaveToWhole();
  else {
    // What a scheme has set is for this part alone.
    const giveBack = keepMembers(locals);
    call.restore();
    giveBack();
  }
  noteTaken(call, whole);
  const shown = showResponseToPart(res, { locals, req });
  if (req !== given && Reflect.get(req, "res") === res) Reflect.set(req, "res", shown);
  return { req, res: shown, ownBytes: members?.ownBytes };
}

/** What middleware has set stays where it leaves the gateway, as behind any route. */
export function leaveToWhole(call: PartExchange, whole: Exchange): void {
  call.restore();
  call.locals.leaveToWhole();
  noteTaken(call, whole);
}

function noteTaken(call: Exchange, whole: Exchange): void {
  whole.withheld ??= call.withheld;
  whole.foundDistinct ??= call.foundDistinct;
}

/** Notes for all parts whom one has found; the whole is shown nobody any more once that is somebody else. */
function createIdentityOfWhole(res: ServerResponse): (call: PartExchange) => void {
  let first: unknown;
  let areSame = true;
  return function tellIdentity(call) {
    const { identity } = call.locals.present();
    if (identity === undefined || identity === null) return;
    noteFound(call, identity);
    first ??= identity;
    areSame &&= isSameIdentity(first, identity);
    const locals = (res as LooseResponse).locals!;
    if (areSame) locals.identity = first;
    else delete locals.identity;
  };
}
