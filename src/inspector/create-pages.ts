import type { IncomingMessage, ServerResponse } from "node:http";
import { addObserver, type Live } from "../compiling/live.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { type ExplainInSteps, prepareExplain } from "../explain/explain-request.ts";
import type { ExplainableRequest, Explanation } from "../explain/explanation.ts";
import { listRoutesInSteps } from "../explain/list-routes.ts";
import { maskByConfig } from "../explain/mask-by-config.ts";
import type { Gateway } from "../gateway.ts";
import { askEverywhere, type Peers } from "../peers.ts";
import { runInSlices } from "../time-slices.ts";
import { type Admission, isSame } from "./let-in-by-secret.ts";
import { answerJson, answerText, refuse } from "../pages/answer.ts";
import { createAnswerPurge, findOriginless } from "./answer-purge.ts";
import { findForger, findScript, findStranger } from "./refuse-other-machines-and-sites.ts";
import { renderDocument } from "./page/document.ts";
import { entranceFiles, pageFiles } from "./page/page-files.ts";
import { readAsked } from "./read-asked.ts";
import { createDescribeState } from "./state/gateway-state.ts";
import { sumStates } from "./state/sum-states.ts";
import { watchActivity } from "./watch-activity.ts";
import { createTellTraffic, joinTraffic, type LoadOfProcess } from "./traffic-news.ts";
import { createTrafficStreams } from "./traffic-streams.ts";

type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** A page of the inspector. */
export type Page = Readonly<{
  method: "GET" | "POST";
  /** Whether visitors without the secret get it. */
  isEntrance?: boolean;
  /** Why a request is refused, besides what holds for all pages. */
  refuses: (req: IncomingMessage) => string | undefined;
  answer: Answer;
}>;

/** What an inspector shows, and to whom. */
type Inspected = Readonly<{ gateway: Gateway; live: Live; peers: Peers; admission: Admission }>;

/** Makes the pages of an inspector, by their paths. */
export function createPages({ gateway, live, peers, admission }: Inspected): ReadonlyMap<string, Page> {
  const { pageToken, admit } = admission;
  const explain = createCurrentExplain(live);
  const { feed, ...activity } = watchActivity();
  const askTraffic = askEverywhere(
    peers,
    "traffic",
    createTellTraffic(feed, () => describeLoad(live)),
  );
  const askStates = askEverywhere(peers, "state", createDescribeState(live, activity));
  const streams = createTrafficStreams({
    news: async (seen) => joinTraffic(await askTraffic(seen), seen),
    subscribe: feed.subscribe,
    hasPeers: peers.areThere,
  });
  addObserver(live, activity.observer);
  live.onClose(streams.close);
  const refusesForgers = (req: IncomingMessage): string | undefined => findForger(req, isToken);
  const refusesPurge = (req: IncomingMessage): string | undefined => findOriginless(req) ?? refusesForgers(req);
  return new Map<string, Page>([
    ...openFiles(entranceFiles, true),
    ...openFiles(pageFiles, false),
    ["/open", { method: "POST", isEntrance: true, refuses: findStranger, answer: admit }],
    ["/", { method: "GET", refuses: findScript, answer: answerDocument }],
    ["/routes", open(answerRoutes)],
    ["/state", open(answerState)],
    ["/traffic", open(streams.open)],
    ["/explain", { method: "POST", refuses: refusesForgers, answer: answerExplanation }],
    ["/purge", { method: "POST", refuses: refusesPurge, answer: createAnswerPurge(gateway, () => live.present) }],
  ]);

  function answerDocument(req: IncomingMessage, res: ServerResponse): void {
    answerText(req, res, { type: "text/html", text: renderDocument(pageToken) });
  }

  async function answerRoutes(req: IncomingMessage, res: ServerResponse): Promise<void> {
    answerJson(req, res, await runInSlices(listRoutesInSteps(live.present.config)));
  }

  async function answerState(req: IncomingMessage, res: ServerResponse): Promise<void> {
    answerJson(req, res, sumStates(await askStates({})));
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

function describeLoad(live: Live): LoadOfProcess {
  const { lastFailure, loadedAt, ...load } = live.condition();
  const { at, error } = lastFailure ?? {};
  const message = error instanceof Error ? error.message : String(error);
  return { ...load, loadedAt: loadedAt.getTime(), lastFailure: at && { at: at.getTime(), message } };
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
