import { OverloadError, RequestError, type GatewayError } from "../../errors.ts";
import { createRecognised, isIdentity, type RecognisedIdentity } from "../../identity/identity.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { withinTime } from "../../unattended/within-time.ts";
import type { Authenticator } from "./authenticator.ts";
import type { FailureLog } from "./failure-log.ts";
import { contextOf, controllerOf, type Refusal, type Trial } from "./middleware/trial.ts";

/** A scheme by its name. */
export type Scheme = Readonly<{ name: string; authenticate: Authenticator }>;

const longestWait = 5_000;
const retrySeconds = "5";

type Recognised = RecognisedIdentity | undefined;

/** Sends the answer of a scheme's own, such as a redirect to a login; the promise is kept when the exchange is over. */
type SendAnswer = () => Promise<undefined>;

/** Who is asking, or how the request is refused. */
type Finding = RecognisedIdentity | GatewayError | SendAnswer;

/** Asks the schemes in turn: the first that recognises somebody counts; one that fails is logged and the next one asked. */
export function createRecognise(
  schemes: readonly Scheme[],
  failures: FailureLog,
): (exchange: MatchedExchange) => Finding | Promise<Finding> {
  return function recognise(exchange) {
    let refusals: Map<Scheme, Refusal> | undefined;
    let hasFailed = false;
    let isOver = false;
    return askFrom(0);

    function askFrom(first: number): Finding | Promise<Finding> {
      for (let index = first; index < schemes.length; index += 1) {
        const found = ask(schemes[index]!);
        // For a client that has left meanwhile no other scheme is troubled: nobody hears the answer.
        if (found instanceof Promise)
          return found.then((late) => late ?? (isOver ? unavailable() : askFrom(index + 1)));
        if (found !== undefined) return found;
      }
      return hasFailed ? unavailable() : refusalOf(schemes, refusals, exchange);
    }

    function ask(scheme: Scheme): Recognised | Promise<Recognised> {
      const trial: Trial = { exchange, attempt: undefined, controller: undefined };
      try {
        const answer = scheme.authenticate(exchange.context.req, contextOf(trial));
        if (!(answer instanceof Promise)) return conclude(identify(answer, scheme), scheme, trial);
        const controller = controllerOf(trial);
        exchange.cancellation.onCancel((reason) => {
          isOver = true;
          controller.abort(reason);
        });
        return withinTime(answer, longestWait, (error) => controller.abort(error))
          .then((late) => identify(late, scheme))
          .catch((error: unknown) => fail(scheme, error))
          .then((who) => conclude(who, scheme, trial));
      } catch (error) {
        return conclude(fail(scheme, error), scheme, trial);
      }
    }

    function conclude(who: Recognised, scheme: Scheme, { attempt }: Trial): Recognised {
      if (attempt === undefined) return who;
      if (who !== undefined) attempt.accept();
      else (refusals ??= new Map()).set(scheme, attempt.dismiss());
      return who;
    }

    function fail({ name }: Scheme, error: unknown): Recognised {
      hasFailed = true;
      // A scheme that gives up with its client is sound.
      if (!isOver) failures.note(name, error);
      return undefined;
    }
  };
}

function identify(answer: unknown, { name }: Scheme): Recognised {
  if (answer === undefined) return undefined;
  if (isIdentity(answer)) return createRecognised(answer, name);
  throw new TypeError("It gave something that is no identity: expected { id, claims } or undefined.");
}

/** What a scheme would answer itself goes before the challenges of all. */
function refusalOf(
  schemes: readonly Scheme[],
  refusals: ReadonlyMap<Scheme, Refusal> | undefined,
  { context: { req } }: MatchedExchange,
): GatewayError | SendAnswer {
  const answer = schemes.map((scheme) => refusals?.get(scheme)?.answer).find((found) => found !== undefined);
  if (answer !== undefined) return answer;
  const challenges = schemes.flatMap((scheme) => {
    const { challenge } = scheme.authenticate;
    return [typeof challenge === "function" ? challenge(req) : challenge, refusals?.get(scheme)?.challenge];
  });
  const told = [...new Set(challenges.filter((challenge) => challenge !== undefined))].join(", ");
  const headers = told === "" ? {} : { headers: { "www-authenticate": told } };
  return new RequestError("authentication-required", "The request does not show who is asking.", headers);
}

function unavailable(): GatewayError {
  return new OverloadError("authentication-unavailable", "Who is asking cannot be found out at the moment.", {
    headers: { "retry-after": retrySeconds },
  });
}
