import type { IncomingMessage, ServerResponse } from "node:http";
import { type Live, liveOf } from "../compiling/live.ts";
import { GatewayError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { noPeers, type Peers } from "../peers.ts";
import { pathOf } from "../urls/path-and-query.ts";
import { createAdmission, howToGetIn } from "./let-in-by-secret.ts";
import { answerText, protect, refuse } from "../pages/answer.ts";
import { createPages, type Page } from "./create-pages.ts";
import { findIntruder } from "./refuse-other-machines-and-sites.ts";
import { entranceText } from "./page/entrance.ts";
import { createLink, type InspectorOptions, readAccess, readSecret } from "./link-secret.ts";
import { lacksSlash, redirectToFolder } from "../pages/redirect-to-folder.ts";

/** Answers the requests for the inspector; to be mounted at a path of its own. */
export type Inspector = ((req: IncomingMessage, res: ServerResponse) => void) &
  Readonly<{
    /** The link that opens the page, for the address at which the inspector is mounted. Whoever has it gets in. */
    link: (address: string | URL) => string;
  }>;

/**
 * Makes a page that shows what a gateway does: its routes, where a request would go and why, live traffic and error
 * counts. Mount it at a path of its own: `app.use("/_gateway", inspector(gateway))`; its `link` opens it.
 */
export function inspector(gateway: Gateway, options: InspectorOptions = {}): Inspector {
  return createInspector(gateway, options, noPeers);
}

/** Makes the inspector of a gateway that other processes serve as well: it shows what all of them do. */
export function createInspector(gateway: Gateway, options: InspectorOptions, peers: Peers): Inspector {
  const live = requireLive(gateway);
  refuseUnknownOptions(options, { allowRemote: true, hosts: true, secret: true }, "inspector()");
  const access = readAccess(options);
  const secret = readSecret(options);
  const admission = createAdmission(secret);
  const pages = createPages({ gateway, live, peers, admission });
  return Object.assign(inspect, { link: (address: string | URL) => createLink(address, secret) });

  function inspect(req: IncomingMessage, res: ServerResponse): void {
    protect(res);
    const intruder = findIntruder(req, access);
    if (intruder !== undefined) {
      refuse(req, res, 403, intruder);
      return;
    }
    const path = pathOf(req.url!);
    const page = pages.get(path);
    if (page === undefined) refuse(req, res, 404, "The inspector has no such page.");
    else if (!takesMethod(page, req)) refuse(req, res, 405, `Only ${page.method} is answered here.`);
    else if (lacksSlash(req)) redirectToFolder(req, res);
    else if (page.isEntrance === true || admission.isAdmitted(req)) answerPage(page, req, res);
    else if (path === "/") answerText(req, res, { status: 403, type: "text/html", text: entranceText });
    else refuse(req, res, 403, howToGetIn);
  }
}

function answerPage({ refuses, answer }: Page, req: IncomingMessage, res: ServerResponse): void {
  const reason = refuses(req);
  if (reason !== undefined) {
    refuse(req, res, 403, reason);
    return;
  }
  void answerSafely().catch((error: unknown) => {
    if (res.headersSent) res.destroy();
    else refuse(req, res, 500, `The inspector failed: ${String(error)}`);
  });

  async function answerSafely(): Promise<void> {
    await answer(req, res);
  }
}

function takesMethod({ method }: Page, req: IncomingMessage): boolean {
  return req.method === method || (method === "GET" && req.method === "HEAD");
}

function requireLive(gateway: Gateway): Live {
  const live = liveOf(gateway);
  if (live !== undefined) return live;
  throw new GatewayError(
    "option-invalid",
    'inspector() takes what createGateway() returns: app.use("/_gateway", inspector(gateway)).',
  );
}
