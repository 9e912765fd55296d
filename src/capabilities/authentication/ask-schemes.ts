import type { IncomingMessage } from "node:http";
import { GatewayError, RequestError } from "../../errors.ts";
import { createRecognised, isIdentity, type RecognisedIdentity } from "../../identity/identity.ts";
import { identityUnavailable, longestQuestion } from "../../identity/unknown-in-time.ts";
import type { Guess, MatchedExchange } from "../../exchange/matched-exchange.ts";
import { withinTime } from "../../unattended/within-time.ts";
import { ignoreRejection, isPromise } from "../../when-rejected.ts";
import type { Authenticator } from "./authenticator.ts";
import type { FailureLog } from "./log-failing-scheme-seldom.ts";
import { isGuess } from "./is-guess.ts";
import { contextOf, controllerOf, type Refusal, type Trial } from "./middleware/trial.ts";

/** A scheme by its name. */
type Scheme = Readonly<{ name: string; authenticate: Authenticator }>;

type Recognised = RecognisedIdentity | undefined;

/** Sends the answer of a scheme's own, such as a redirect to a login; the promise is kept when the exchange is over. */
type SendAnswer = () => Promise<undefined>;

/** Who is asking, or how the request is refused. */
export type Finding = RecognisedIdentity | GatewayError | SendAnswer;

/** One round of questions to the schemes of a route. */
type Round = {
  readonly exchange: MatchedExchange;
  refusals: Map<Scheme, Refusal> | undefined;
  failed: Set<Scheme> | undefined;
  /** Whether the client has left meanwhile. */
  isOver: boolean;
};

/** Asks the schemes in turn: the first that recognises somebody counts; one that fails is logged and the next one asked. */
export function createAskSchemes(
  schemes: readonly Scheme[],
  failures: FailureLog,
): (exchange: MatchedExchange) => Finding | Promise<Finding> {
  return function askSchemes(exchange) {
    const found = askFrom(0, { exchange, refusals: undefined, failed: undefined, isOver: false });
    const { guess } = exchange;
    if (found instanceof Promise && guess !== undefined) return answerInTime(found, guess);
    return found;
  };

  function askFrom(first: number, round: Round): Finding | Promise<Finding> {
    for (let index = first; index < schemes.length; index += 1) {
      const found = ask(schemes[index]!, round);
      if (found instanceof Promise)
        return found.then((late) => late ?? (isUnheard(round) ? identityUnavailable() : askFrom(index + 1, round)));
      if (found !== undefined) return found;
    }
    const { failed, exchange } = round;
    if (exchange.guess !== undefined)
      exchange.guess.isWrong = failed === undefined || isGuess(schemes, failed, exchange);
    return failed === undefined && !round.isOver ? refusalOf(schemes, round) : identityUnavailable();
  }

  function ask(scheme: Scheme, round: Round): Recognised | Promise<Recognised> {
    const trial: Trial = { exchange: round.exchange, attempt: undefined, controller: undefined };
    try {
      const answer = scheme.authenticate(round.exchange.context.req, contextOf(trial));
      if (isPromise(answer)) return wait(answer, { scheme, trial, round });
      return conclude(identify(answer, scheme), { scheme, trial, round });
    } catch (error) {
      return conclude(fail(error, scheme, round), { scheme, trial, round });
    }
  }

  function wait(answer: Promise<unknown>, question: Question): Promise<Recognised> {
    const { scheme, trial, round } = question;
    const controller = controllerOf(trial);
    round.exchange.cancellation.onCancel((reason) => {
      round.isOver = true;
      if (isUnheard(round)) controller.abort(reason);
    });
    return withinTime(answer, longestQuestion, (error) => controller.abort(error))
      .then((late) => identify(late, scheme))
      .catch((error: unknown) => fail(error, scheme, round))
      .then((who) => conclude(who, question));
  }

  function fail(error: unknown, scheme: Scheme, round: Round): Recognised {
    (round.failed ??= new Set()).add(scheme);
    // A scheme that gives up with its client is sound.
    if (!round.isOver) failures.note(scheme.name, error);
    return undefined;
  }
}

/** A client that has waited for others is refused when its time is over, as if it had left. */
function answerInTime(found: Promise<Finding>, guess: Guess): Promise<Finding> {
  noteQuestion(found, guess);
  return guess.refusalInTime === undefined ? found : Promise.race([found, guess.refusalInTime]);
}

/** Whoever counts guesses learns that schemes are being asked, and of the end before others hear what they say. */
function noteQuestion(found: Promise<Finding>, guess: Guess): void {
  const end = (): void => void (guess.question = undefined);
  guess.question = found.then(end, end);
}

/**
 * Whether nobody hears any more what schemes say: none is troubled then for a client that has left. Where guesses are
 * counted, only their answers tell an honest client that left from one that guesses and does not wait.
 */
function isUnheard({ isOver, exchange }: Round): boolean {
  return isOver && exchange.guess === undefined;
}

/** What one scheme is asked in a round. */
type Question = Readonly<{ scheme: Scheme; trial: Trial; round: Round }>;

function conclude(who: Recognised, { scheme, trial: { attempt }, round }: Question): Recognised {
  if (attempt === undefined) return who;
  if (who !== undefined && !round.isOver) attempt.accept();
  else (round.refusals ??= new Map()).set(scheme, attempt.dismiss());
  return who;
}

function identify(answer: unknown, { name }: Scheme): Recognised {
  if (answer === undefined) return undefined;
  if (isIdentity(answer)) return createRecognised(answer, name);
  throw new TypeError("It gave something that is no identity: expected { id, claims } or undefined.");
}

/** What a scheme would answer itself goes before the challenges of all. */
function refusalOf(
  schemes: readonly Scheme[],
  { refusals, exchange }: Pick<Round, "refusals" | "exchange">,
): GatewayError | SendAnswer {
  const answer = schemes.map((scheme) => refusals?.get(scheme)?.answer).find((found) => found !== undefined);
  return answer ?? nobodyRecognised(schemes, exchange, refusals);
}

/** The refusal of a request that does not show who is asking, with the challenges of all schemes. */
export function nobodyRecognised(
  schemes: readonly Scheme[],
  { context: { req } }: MatchedExchange,
  refusals?: ReadonlyMap<Scheme, Refusal>,
): GatewayError {
  const challenges = schemes.flatMap((scheme) => {
    return [challengeOf(scheme, req), refusals?.get(scheme)?.challenge];
  });
  const told = [...new Set(challenges.filter((challenge) => challenge !== undefined))].join(", ");
  const headers = told === "" ? {} : { headers: { "www-authenticate": told } };
  return new RequestError("authentication-required", "The request does not show who is asking.", headers);
}

function challengeOf({ name, authenticate: { challenge } }: Scheme, req: IncomingMessage): string | undefined {
  const told: unknown = typeof challenge === "function" ? challenge(req) : challenge;
  if (told === undefined || typeof told === "string") return told;
  ignoreRejection(told);
  throw new GatewayError(
    "handler-misuse",
    `The challenge of the scheme ${JSON.stringify(name)} is a ${typeof told}; expected a text, at once and not in a promise.`,
  );
}
