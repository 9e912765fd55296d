import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { GatewayError } from "../errors.ts";
import { type ExplainInSteps, prepareExplain } from "../explain/explain-request.ts";
import type { ExplainableRequest, Explanation } from "../explain/explanation.ts";
import { listRoutesInSteps } from "../explain/list-routes.ts";
import { maskByConfig } from "../explain/mask-by-config.ts";
import type { Gateway } from "../gateway.ts";
import { addObserver, type Live, liveOf } from "../generation/live.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { runInSlices } from "../slices.ts";
import { answerJson, answerText, protect, refuse } from "./answer.ts";
import { findForger, findIntruder, findStranger, type InspectorAccess } from "./find-intruder.ts";
import { renderDocument } from "./page/document.ts";
import { pageFiles } from "./page/page-files.ts";
import { readAsked } from "./read-asked.ts";
import { createTrafficFeed } from "./traffic-feed.ts";
import { createTrafficStreams } from "./traffic-streams.ts";

/** Who may use the inspector; by default somebody at this machine only. */
export type InspectorOptions = Readonly<{
  /** Whether other machines may ask; `false` by default. */
  allowRemote?: boolean | undefined;
  /** Names by which the inspector may be asked for, besides localhost, 127.0.0.1 and [::1]. */
  hosts?: readonly string[] | undefined;
}>;

/** Answers the requests for the inspector; to be mounted at a path of its own. */
export type Inspector = (req: IncomingMessage, res: ServerResponse) => void;

type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

type Page = Readonly<{
  method: "GET" | "POST";
  /** Who may ask, besides what holds for all pages. */
  refuses: (req: IncomingMessage) => string | undefined;
  answer: Answer;
}>;

/**
 * Makes a page that shows what a gateway does: its routes, where a request would go and why, live traffic and error
 * counts. Mount it at a path of its own: `app.use("/_gateway", inspector(gateway))`.
 */
export function inspector(gateway: Gateway, options: InspectorOptions = {}): Inspector {
  const live = requireLive(gateway);
  refuseUnknownOptions(options, { allowRemote: true, hosts: true }, "inspector()");
  const access = readAccess(options);
  const pages = createPages(gateway, live);

  return function inspect(req, res) {
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
    else if (lacksSlash(req, path)) redirectToFolder(req, res);
    else answerPage(page, req, res);
  };
}

function createPages(gateway: Gateway, live: Live): ReadonlyMap<string, Page> {
  const token = randomBytes(32).toString("base64url");
  const explain = createCurrentExplain(live);
  const feed = createTrafficFeed();
  const streams = createTrafficStreams({ feed, state: () => describeState(gateway) });
  addObserver(live, feed.observer);
  live.onClose(streams.close);
  const files = [...pageFiles].map(([path, file]) => [path, open((req, res) => answerText(req, res, file))] as const);
  return new Map<string, Page>([
    ...files,
    ["/", { method: "GET", refuses: () => undefined, answer: answerDocument }],
    ["/routes", open(answerRoutes)],
    ["/traffic", open(streams.open)],
    ["/explain", { method: "POST", refuses: (req) => findForger(req, isToken), answer: answerExplanation }],
  ]);

  function answerDocument(req: IncomingMessage, res: ServerResponse): void {
    answerText(req, res, { type: "text/html", text: renderDocument(token) });
  }

  async function answerRoutes(req: IncomingMessage, res: ServerResponse): Promise<void> {
    answerJson(req, res, await runInSlices(listRoutesInSteps(live.generation.config)));
  }

  async function answerExplanation(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const asked = await readAsked(req);
    if ("fault" in asked) refuse(req, res, 400, asked.fault);
    else answerJson(req, res, await explain(asked.request));
  }

  function isToken(given: string): boolean {
    const [one, other] = [Buffer.from(given), Buffer.from(token)];
    return one.length === other.length && timingSafeEqual(one, other);
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

type ExplainLater = (request: ExplainableRequest) => Promise<Explanation>;

/** Explains by the configuration that is in force; prepared once for each, in slices, as requests go on meanwhile. */
function createCurrentExplain(live: Live): ExplainLater {
  let prepared: Readonly<{ config: GatewayConfig; explain: Promise<ExplainInSteps> }> | undefined;
  return async function explainNow(request) {
    const { config } = live.generation;
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

type MountedRequest = IncomingMessage & { originalUrl?: string };

/** The page's links are relative: they need the slash behind the mount path. */
function lacksSlash({ originalUrl, url }: MountedRequest, path: string): boolean {
  return path === "/" && originalUrl !== undefined && !pathOf(originalUrl).endsWith("/") && pathOf(url ?? "") === "/";
}

function redirectToFolder(req: MountedRequest, res: ServerResponse): void {
  const folder = pathOf(req.originalUrl!).split("/").at(-1)!;
  res.setHeader("location", `./${folder}/`);
  refuse(req, res, 308, "The page is in the folder of that name.");
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : url.slice(0, end);
}

function readAccess({ allowRemote = false, hosts = [] }: InspectorOptions): InspectorAccess {
  return { allowRemote, hosts: new Set(hosts.map((host) => host.toLowerCase())) };
}

function requireLive(gateway: Gateway): Live {
  const live = liveOf(gateway);
  if (live !== undefined) return live;
  throw new GatewayError(
    "option-invalid",
    'inspector() takes what createGateway() returns: app.use("/_gateway", inspector(gateway)).',
  );
}
