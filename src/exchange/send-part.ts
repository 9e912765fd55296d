import type { IncomingMessage, ServerResponse } from "node:http";
import { type BodiesWithCode, hasStreams, isHadByCode } from "../bodies/with-code/bodies-with-code.ts";
import { holdUntilRead } from "../bodies/with-code/hold-until-read.ts";
import type { OwnBytes } from "../bodies/parsed/room-for-copies.ts";
import { streamForGateway } from "../bodies/with-code/stream-for-gateway.ts";
import { noteNamingFailure } from "../capabilities/naming-service/naming-failures.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import type { Logger } from "../logging/logger.ts";
import { changeAnswer } from "./change-answer.ts";
import type { Exchange } from "./exchange.ts";
import { createContext } from "./gateway-context.ts";
import type { SharedBody } from "./read-body-for-all-parts.ts";

/** What a part has for itself; the request is the client's where the part is the only one. */
export type OfPart = Readonly<{ req: IncomingMessage; res: ServerResponse; ownBytes: OwnBytes | undefined }>;

/** Sends the call of a part, with what is its own and the body that all parts share. */
export type SendPart = (call: Exchange, own: OfPart, body: SharedBody | undefined) => Promise<UpstreamResponse>;

/** Prepares how the calls of parts are sent. */
export function createSendPart(logger: Logger): SendPart {
  return async function sendPart(call, own, body) {
    const sent = withOwn(call, own, body);
    const answer = await sent.compiled.forward(sent);
    changeAnswer(answer, sent);
    // The answer of the only part waits for no other.
    if (own.req !== call.context.req && hasStreams(sent.bodiesWithCode)) holdFromCode(answer, sent.bodiesWithCode);
    sent.observation?.answered();
    noteNamingFailure(answer, sent, logger);
    return answer;
  };
}

function holdFromCode(answer: UpstreamResponse, bodies: BodiesWithCode | undefined): void {
  const body = streamForGateway(answer);
  if (isHadByCode(body)) holdUntilRead(body, bodies?.opened ?? []);
}

function withOwn(call: Exchange, { req, res, ownBytes }: OfPart, body: SharedBody | undefined): Exchange {
  const { cancellation, context } = call;
  const { route, placeholders, requestId } = context;
  const framing = body?.framing ?? call.framing;
  // As a body parser leaves it that keeps the bytes.
  if (body !== undefined) Reflect.set(req, "rawBody", body.bytes);
  const own = createContext({ req, res, route, placeholders, requestId }, cancellation);
  return { ...call, framing, context: own, ...(ownBytes && { ownBytes }) };
}
