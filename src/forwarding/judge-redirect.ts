import type { ServiceGuard } from "../capabilities/naming-service/guard-service-name.ts";
import type { Headers, OutgoingRequest } from "../delegating-handler.ts";
import { GatewayError, RequestError } from "../errors.ts";
import { splitQuery } from "../urls/client-query.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import type { EngineAnswer } from "./engines/engine.ts";
import { identitiesOf } from "./template-parameters.ts";
import { refuseFilledTarget } from "./refuse-unsafe-target.ts";

/** A request that was answered, and what of it a redirect must keep. */
type RedirectedCall = Readonly<{
  outgoing: OutgoingRequest;
  /** Only where it went to the naming service. */
  service: ServiceGuard | undefined;
  /** Whether its body is still there. */
  isRepeatable: boolean;
}>;

const followed: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/** The request to which an answer leads; undefined where the answer is the client's to follow, or leads nowhere. */
export function judgeRedirect(
  { outgoing, service, isRepeatable }: RedirectedCall,
  { status, rawHeaders }: Pick<EngineAnswer, "status" | "rawHeaders">,
): OutgoingRequest | undefined {
  if (!followed.has(status)) return undefined;
  const path = findPath(outgoing, readLocation(rawHeaders), service);
  if (path === undefined) return undefined;
  const { origin } = outgoing;
  const method = methodAfter(status, outgoing.method);
  const headers = { ...outgoing.headers };
  delete headers.authorization;
  if (method !== outgoing.method) return { method, origin, path, headers: withoutContent(headers), body: null };
  if (outgoing.body !== null && !isRepeatable) throw bodyIsGone();
  return { method, origin, path, headers, body: outgoing.body };
}

/** What browsers, and .NET with them, ask with after a redirect. */
function methodAfter(status: number, method: string): string {
  const becomesGet = status === 303 ? method !== "HEAD" : status <= 302 && method === "POST";
  return becomesGet ? "GET" : method;
}

function readLocation(rawHeaders: readonly string[]): string | undefined {
  const found = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === "location");
  return found.length === 1 ? found[0] : undefined;
}

// What is written otherwise is no URL, and programs disagree about what it would be.
const visible = /^[!-~]+$/;

/** Path and query of a redirect that stays where the request was; undefined for every other. */
function findPath(
  { origin, path }: OutgoingRequest,
  location: string | undefined,
  service: ServiceGuard | undefined,
): string | undefined {
  if (location === undefined || !visible.test(location)) return undefined;
  const url = URL.parse(location, origin + path);
  if (url === null || url.origin !== URL.parse(origin)?.origin || url.username !== "" || url.password !== "") {
    return undefined;
  }
  const target = url.pathname + url.search;
  const isAllowed = isSafe(target) && (service === undefined || staysAtService(target, path, service));
  return isAllowed ? target : undefined;
}

/** Whether a client could be sent there, too. */
function isSafe(target: string): boolean {
  try {
    refuseFilledTarget(target);
    return true;
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}

/** The naming service stands before all services of the cluster: one of them must not lead a request to another. */
function staysAtService(target: string, asked: string, { segments }: ServiceGuard): boolean {
  const nameIn = (text: string): string =>
    pathOf(text)
      .split("/")
      .slice(1, 1 + segments)
      .join("/");
  return nameIn(target) === nameIn(asked) && !identitiesOf(splitQuery(queryOf(target) ?? "")).has("servicename");
}

const ofContent = /^(?:content-.*|transfer-encoding|trailer|expect|expires|last-modified|allow)$/;

function withoutContent(headers: Headers): Headers {
  for (const name of Object.keys(headers)) if (ofContent.test(name)) delete headers[name];
  return headers;
}

function bodyIsGone(): GatewayError {
  return new GatewayError(
    "redirect-with-body",
    "The upstream redirects a request whose body has been sent already and is not kept.",
  );
}
