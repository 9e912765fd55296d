import type { IncomingMessage, ServerResponse } from "node:http";
import { addObserver, type Live, liveOf } from "../compiling/live.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { GatewayError } from "../errors.ts";
import { type ExplainInSteps, prepareExplain } from "../explain/explain-request.ts";
import type { ExplainableRequest, Explanation } from "../explain/explanation.ts";
import { listRoutesInSteps } from "../explain/list-routes.ts";
import { maskByConfig } from "../explain/mask-by-config.ts";
import type { Gateway } from "../gateway.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { runInSlices } from "../time-slices.ts";
import { pathOf } from "../urls/path-and-query.ts";
import { type Admission, createAdmission, howToGetIn, isSame } from "./admission.ts";
import { answerJson, answerText, protect, refuse } from "../pages/answer.ts";
import { findForger, findIntruder, findStranger } from "./find-intruder.ts";
import { renderDocument } from "./page/document.ts";
import { entranceText } from "./page/entrance.ts";
import { entranceFiles, pageFiles } from "./page/page-files.ts";
import { readAsked } from "./read-asked.ts";
import { createLink, type InspectorOptions, readAccess, readSecret } from "./read-options.ts";
import { lacksSlash, redirectToFolder } from "../pages/redirect-to-folder.ts";
import { createTrafficFeed } from "./traffic-feed.ts";
import { createTrafficStreams } from "./traffic-streams.ts";

/** Answers the requests for the inspector; to be mounted at a path of its own. */
export type Inspector = ((req: IncomingMessage, res: ServerResponse) => void) &
  Readonly<{
    /** The link that opens the page, for the address at which the inspector is mounted. Whoever has it gets in. */
    link: (address: string | URL) => string;
  }>;

type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

type Page = Readonly<{
  method: "GET" | "POST";
  /** Whether visitors without the secret get it. */
  isEntrance?: boolean;
  /** Why a request is refused, besides what holds for all pages. */
  refuses: (req: IncomingMessage) => string | undefined;
  answer: Answer;
}>;

/**
 * Makes a page that shows what a gateway does: its routes, where a request would go and why, live traffic and error
 * counts. Mount it at a path of its own: `app.use("/_gateway", inspector(gateway))`; its `link` opens it.
 */
export function inspector(gateway: Gateway, options: InspectorOptions = {}): Inspector {
  const live = requireLive(gateway);
  refuseUnknownOptions(options, { allowRemote: true, hosts: true, secret: true }, "inspector()");
  const access = readAccess(options);
  const secret = readSecret(options);
  const admission = createAdmission(secret);
  const pages = createPages(gateway, live, admission);
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

function createPages(gateway: Gateway, live: Live, { pageToken, admit }: Admission): ReadonlyMap<string, Page> {
  const explain = createCurrentExplain(live);
  const feed = createTrafficFeed();
  const streams = createTrafficStreams({ feed, state: () => describeState(gateway) });
  addObserver(live, feed.observer);
  live.onClose(streams.close);
  return new Map<string, Page>([
    ...openFiles(entranceFiles, true),
    ...openFiles(pageFiles, false),
    ["/open", { method: "POST", isEntrance: true, refuses: findStranger, answer: admit }],
    ["/", { method: "GET", refuses: () => undefined, answer: answerDocument }],
    ["/routes", open(answerRoutes)],
    ["/traffic", open(streams.open)],
    ["/explain", { method: "POST", refuses: (req) => findForger(req, isToken), answer: answerExplanation }],
  ]);

  function answerDocument(req: IncomingMessage, res: ServerResponse): void {
    answerText(req, res, { type: "text/html", text: renderDocument(pageToken) });
  }

  async function answerRoutes(req: IncomingMessage, res: ServerResponse): Promise<void> {
    answerJson(req, res, await runInSlices(listRoutesInSteps(live.present.config)));
  }

  async function answerExplanation(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const asked = await readAsked(req);
    if ("fault" in asked) refuse(req, res, 400, asked.fault);
    else answerJson(req, res, await explain(asked.request));
  }

  function isToken(given: string): boolean {
    return isSame(given, pageToken);
  }
}

function describeState(gateway: Gateway): object {
  const { lastFailure, ...state } = gateway.health();
  if (lastFailure === undefined) return state;
  const { at, error } = lastFailure;
  return { ...state, lastFailure: { at, message: error instanceof Error ? error.message : String(error) } };
}

function open(answer: Answer): Page {
  return { method: "GET", refuses: findStranger, answer };
}

function openFiles(files: typeof pageFiles, isEntrance: boolean): [path: string, page: Page][] {
  return [...files].map(([path, file]) => [path, { ...open((req, res) => answerText(req, res, file)), isEntrance }]);
}

type ExplainLater = (request: ExplainableRequest) => Promise<Explanation>;

/** Explains by the configuration that is in force; prepared once for each, in slices, as requests go on meanwhile. */
function createCurrentExplain(live: Live): ExplainLater {
  let prepared: Readonly<{ config: GatewayConfig; explain: Promise<ExplainInSteps> }> | undefined;
  return async function explainNow(request) {
    const { config } = live.present;
    if (prepared?.config !== config) {
      prepared = { config, explain: runInSlices(prepareExplain(config, live.options)) };
    }
    const explain = await prepared.explain;
    return maskByConfig(config, await runInSlices(explain(request)));
  };
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
