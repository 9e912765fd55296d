import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import { askOverHttp } from "../../asking/ask-over-http.ts";
import { createReceiving } from "../../asking/receive-in-share.ts";
import type { ShareOfTime } from "../../asking/share-of-time.ts";
import { type AnswerBounds, createAnswerReader, mostBytes } from "./answer-reader.ts";
import type { ReadJson } from "./read-json.ts";

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

/** Makes the client of a registry; `mostConnections` holds for all that is asked at the same time, but not for what goes on. */
export function createRegistryClient(address: RegistryAddress, mostConnections = Infinity): RegistryClient {
  const { Agent, request } = address.scheme === "https" ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: mostConnections, ...address.tls });
  const following = new Agent({ keepAlive: true, ...address.tls });
  const reader = createAnswerReader();
  const receive = createReceiving(reader.share);
  return { ask, follow, share: reader.share, close };

  function ask(question: RegistryQuestion): Promise<RegistryAnswer> {
    return within(question, agent, async (response) => {
      const { headers, statusCode } = response;
      if (statusCode === 404) return { status: 404, headers, json: undefined, length: 0, took: 0 };
      return { status: 200, headers, ...(await reader.read(response, boundsOf(question))) };
    });
  }

  async function follow(question: RegistryQuestion, read: (told: ReadJson) => void): Promise<void> {
    await within(question, following, (response) => reader.readEach(response, boundsOf(question), read));
  }

  async function within<Result>(
    question: RegistryQuestion,
    by: http.Agent,
    read: (response: IncomingMessage) => Promise<Result>,
  ): Promise<Result> {
    // Node would open a connection all the same, and keep it for questions that nobody asks.
    question.signal.throwIfAborted();
    const terms = {
      within: question.within,
      receive,
      notInTime: () => notInTime(question),
      notAnswered: () => new Error(`${pathOf(question)} was not answered.`),
    };
    return askOverHttp(request(optionsFor(question, address, by)), terms, (response) => {
      const { statusCode: status = 0 } = response;
      if (status === 200 || (status === 404 && question.mayBeUnknown === true)) return read(response);
      throw new Error(describeStatus(question, status));
    });
  }

  function close(): void {
    agent.destroy();
    following.destroy();
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
