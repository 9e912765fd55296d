import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { takeInFewPieces } from "../../bodies/few-pieces.ts";
import { limitInterims } from "../../interim-answers.ts";
import { after, listen, listenOnce } from "../../unattended/guarded.ts";
import { type AnswerBounds, createAnswerReader, mostBytes } from "./answer-reader.ts";
import type { ReadJson } from "./read-json.ts";
import type { ShareOfTime } from "./share-of-time.ts";

/** Where a registry stands, and with what TLS it is spoken to. */
export type RegistryAddress = Readonly<{
  scheme: "http" | "https";
  host: string;
  port: number;
  tls?: Readonly<Pick<https.AgentOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">> | undefined;
}>;

/** One question to a registry. */
type RegistryQuestion = Readonly<{
  /** Path and query. */
  path: string;
  /** Those that are undefined are not sent. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds until the answer must be over. */
  within: number;
  signal: AbortSignal;
  /** Whether 404 means that there is no such service, and not that the question is wrong. */
  mayBeUnknown?: boolean;
}>;

/** A JSON document that a registry has answered. */
export type RegistryAnswer = Readonly<{
  status: 200 | 404;
  headers: IncomingHttpHeaders;
  json: unknown;
  /** How long the document is. */
  length: number;
  /** Milliseconds of work that it took to parse the document. */
  took: number;
}>;

/** Asks one registry: its own origin only, as no redirect is followed, and answers of bounded length. */
export type RegistryClient = Readonly<{
  ask: (question: RegistryQuestion) => Promise<RegistryAnswer>;
  /** Reads an answer that goes on, each line of which is a document, until it ends. */
  follow: (question: RegistryQuestion, read: (told: ReadJson) => void) => Promise<void>;
  /** The part of the time that all answers may take, to be parsed and for what becomes of them. */
  share: ShareOfTime;
  close: () => void;
}>;

/** Makes the client of a registry; `mostConnections` holds for all that is asked at the same time. */
export function createRegistryClient(address: RegistryAddress, mostConnections = Infinity): RegistryClient {
  const { Agent, request } = address.scheme === "https" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections, ...address.tls });
  const reader = createAnswerReader();
  return { ask, follow, share: reader.share, close: () => agent.destroy() };

  function ask(question: RegistryQuestion): Promise<RegistryAnswer> {
    return within(question, async (response) => {
      const { headers, statusCode } = response;
      if (statusCode === 404) return { status: 404, headers, json: undefined, length: 0, took: 0 };
      return { status: 200, headers, ...(await reader.read(response, boundsOf(question))) };
    });
  }

  async function follow(question: RegistryQuestion, read: (told: ReadJson) => void): Promise<void> {
    await within(question, (response) => reader.readEach(response, boundsOf(question), read));
  }

  async function within<Result>(
    question: RegistryQuestion,
    read: (response: IncomingMessage) => Promise<Result>,
  ): Promise<Result> {
    const sent = request(optionsFor(question, address, agent));
    const answer = awaitAnswer(sent, question);
    limitInterims(sent, answer.reject);
    const timer = after(question.within, () => {
      const late = notInTime(question);
      // What waits for a connection fails only once it has one.
      answer.reject(late);
      sent.destroy(late);
    });
    try {
      sent.end();
      const response = await answer.promise;
      const { statusCode: status = 0 } = response;
      if (status === 200 || (status === 404 && question.mayBeUnknown === true)) return await read(response);
      throw new Error(describeStatus(question, status));
    } finally {
      clearTimeout(timer);
      sent.destroy();
    }
  }
}

function optionsFor(
  { path, headers = {}, signal }: RegistryQuestion,
  { host, port }: RegistryAddress,
  agent: http.Agent,
): RequestOptions {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return { host, port, path, agent, signal, headers: { accept: "application/json", ...Object.fromEntries(given) } };
}

function awaitAnswer(
  sent: http.ClientRequest,
  question: RegistryQuestion,
): Pick<PromiseWithResolvers<IncomingMessage>, "promise" | "reject"> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  listenOnce(sent, "response", (response: IncomingMessage) => {
    takeInFewPieces(response);
    resolve(response);
  });
  // Stays for what fails later: the answer tells its reader then.
  listen(sent, "error", reject);
  // A registry that switches protocols unasked ends a request with neither an answer nor an error.
  listenOnce(sent, "close", () => reject(new Error(`${pathOf(question)} was not answered.`)));
  return { promise, reject };
}

const remedies: Readonly<Record<number, string>> = {
  401: "look at the token",
  403: "look at the token, and at what it may read",
  404: "look at the address of the provider",
};

function describeStatus(question: RegistryQuestion, status: number): string {
  const isRedirect = status >= 300 && status < 400;
  const remedy = isRedirect ? "redirects are not followed" : remedies[status];
  return `${pathOf(question)} was answered with ${status}${remedy === undefined ? "" : `: ${remedy}`}.`;
}

function notInTime(question: RegistryQuestion): Error {
  return new Error(`${pathOf(question)} was not answered in time.`);
}

function boundsOf(question: RegistryQuestion): AnswerBounds {
  const tooLong = (): Error => new Error(`${pathOf(question)} was answered with more than ${mostBytes} bytes.`);
  return { signal: question.signal, notInTime: () => notInTime(question), tooLong };
}

function pathOf({ path }: RegistryQuestion): string {
  return path.split("?", 1)[0]!;
}
