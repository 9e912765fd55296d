import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { askOverHttp } from "../../../../asking/ask-over-http.ts";
import { createReceiving } from "../../../../asking/receive-in-share.ts";
import { createShareOfTime } from "../../../../asking/share-of-time.ts";
import { gatherUpTo } from "../../../../bodies/pieces/gather-up-to.ts";
import { undoCoding } from "../../../../bodies/codings/undo-coding.ts";
import { parseConfidential } from "../../../../json/parse-confidential.ts";
import { isConfidential } from "../../../../urls/is-confidential.ts";

/** What is asked besides a GET, and how long an answer may be. */
type JsonRequest = Readonly<{
  mostBytes: number;
  method?: "POST";
  headers?: Readonly<Record<string, string>>;
  body?: URLSearchParams;
  /** Reads the answer instead of `JSON.parse`. */
  parse?: (text: string) => unknown;
}>;

/** Fetches a JSON document: over TLS unless it comes from this machine, without redirects, of bounded length. */
export type FetchJson = (address: string, request: JsonRequest) => Promise<unknown>;

const longestWait = 5_000;
const asked = { accept: "application/json", "accept-encoding": "identity", "user-agent": "waymark" };
const ofForm = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };

/** Makes what fetches the documents of one issuer, whose answers come in within a share of the time. */
export function createJsonFetcher(): FetchJson {
  const receive = createReceiving(createShareOfTime());

  return async function fetchJson(address, { mostBytes, parse, ...request }) {
    const shown = showAddress(address);
    const terms = {
      ...(request.body === undefined ? {} : { body: request.body.toString() }),
      within: longestWait,
      receive,
      notInTime: () => new Error(`${shown} was not answered within ${longestWait / 1_000} s.`),
      notAnswered: () => new Error(`${shown} was not answered.`),
    };
    const text = await askOverHttp(open(address, request), terms, (answer) => {
      const { statusCode: status = 0 } = answer;
      if (status < 200 || status > 299) throw new Error(`${shown} answered ${status}.`);
      return readText(answer, shown, mostBytes);
    });
    return parseConfidential(text, parse);
  };
}

function open(address: string, { method, headers, body }: Omit<JsonRequest, "mostBytes">): ClientRequest {
  const url = new URL(address);
  const shown = showAddress(address);
  if (!isConfidential(url)) throw new Error(`${shown} is not asked: expected https.`);
  if (url.username !== "" || url.password !== "") {
    throw new Error(`${shown} is not asked with a password in its address.`);
  }
  const { request } = url.protocol === "https:" ? https : http;
  return request(url, {
    method: method ?? "GET",
    headers: { ...asked, ...(body === undefined ? {} : ofForm), ...headers },
  });
}

/** An address as logs may hold it: a name and a password, or a parameter, may be a secret. */
export function showAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

async function readText(answer: IncomingMessage, shown: string, mostBytes: number): Promise<string> {
  const coded = await gatherUpTo(answer as AsyncIterable<Buffer>, { mostBytes });
  const bytes = coded && (await undoCoding(coded, answer.headers["content-encoding"], { mostBytes }));
  if (bytes === undefined) {
    throw new Error(`${shown} answered more than ${mostBytes} bytes, or in a coding that cannot be undone.`);
  }
  return bytes.toString();
}
