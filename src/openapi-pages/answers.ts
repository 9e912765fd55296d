import type { Live } from "../compiling/live.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { answerBytes, answerText } from "../pages/answer.ts";
import { lacksSlash, redirectToFolder } from "../pages/redirect-to-folder.ts";
import { createDocumentSet, type DocumentSet } from "./document-set.ts";
import { pageFiles } from "./page/page-files.ts";

type PageFile = NonNullable<ReturnType<typeof pageFiles.get>>;

/** Answers a request that was let in. */
type Answer = (exchange: Exchange) => void | Promise<void>;

/** What is answered at a path; undefined where there is nothing. */
type FindAnswer = (path: string) => Answer | undefined;

/** Prepares what there is to answer: the page, the list of documents, and each of them. */
export function createAnswers(live: Live, hasPage: boolean): FindAnswer {
  let set: DocumentSet | undefined;

  return function findAnswer(path) {
    if (set?.present !== live.present) set = createDocumentSet(live.present, live.options);
    if (path === "/docs") return answerList(set);
    const file = hasPage ? pageFiles.get(path) : undefined;
    if (file !== undefined) return answerFile(file);
    const document = set.find(path);
    if (document === undefined) return undefined;
    return async function answerDocument(exchange) {
      const { bytes } = await document(exchange);
      const { req, res } = exchange.context;
      await answerBytes(req, res, { type: "application/json", bytes });
    };
  };
}

function answerFile(file: PageFile): Answer {
  return function answerPageFile({ context: { req, res } }) {
    if (lacksSlash(req)) redirectToFolder(req, res);
    else answerText(req, res, file);
  };
}

function answerList({ list }: DocumentSet): Answer {
  return ({ context: { req, res } }) => answerBytes(req, res, { type: "application/json", bytes: list });
}
