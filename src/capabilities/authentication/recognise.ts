import { OverloadError, RequestError, type GatewayError } from "../../errors.ts";
import { createRecognised, isIdentity, type RecognisedIdentity } from "../../identity/identity.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { after } from "../../unattended/guarded.ts";
import type { Authenticator } from "./authenticator.ts";
import type { FailureLog } from "./failure-log.ts";

/** A scheme by its name. */
export type Scheme = Readonly<{ name: string; authenticate: Authenticator }>;

const longestWait = 5_000;
const retrySeconds = "5";

type Recognised = RecognisedIdentity | undefined;

/** Asks the schemes in turn: the first that recognises somebody counts; one that fails is logged and the next one asked. */
export function createRecognise(
  schemes: readonly Scheme[],
  failures: FailureLog,
): (exchange: MatchedExchange) => RecognisedIdentity | GatewayError | Promise<RecognisedIdentity | GatewayError> {
  return function recognise(exchange) {
    let hasFailed = false;
    return askFrom(0);

    function askFrom(first: number): RecognisedIdentity | GatewayError | Promise<RecognisedIdentity | GatewayError> {
      for (let index = first; index < schemes.length; index += 1) {
        const scheme = schemes[index]!;
        const found = ask(scheme);
        if (found instanceof Promise) return found.then((late) => late ?? askFrom(index + 1));
        if (found !== undefined) return found;
      }
      return hasFailed ? unavailable() : required(schemes, exchange);
    }

    function ask(scheme: Scheme): Recognised | Promise<Recognised> {
      const { req, route } = exchange.context;
      const controller = new AbortController();
      try {
        const answer = scheme.authenticate(req, { route, signal: controller.signal });
        if (!(answer instanceof Promise)) return take(scheme, answer);
        return withinTime(answer, controller).then(
          (late) => take(scheme, late),
          (error: unknown) => fail(scheme, error),
        );
      } catch (error) {
        return fail(scheme, error);
      }
    }

    function take(scheme: Scheme, answer: unknown): Recognised {
      if (answer === undefined) return undefined;
      if (isIdentity(answer)) return createRecognised(answer, scheme.name);
      return fail(
        scheme,
        new TypeError("It gave something that is no identity: expected { id, claims } or undefined."),
      );
    }

    function fail({ name }: Scheme, error: unknown): Recognised {
      hasFailed = true;
      failures.note(name, error);
      return undefined;
    }
  };
}

async function withinTime<Answer>(answer: Promise<Answer>, controller: AbortController): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = after(longestWait, () => {
      const error = new Error(`It gave no answer within ${longestWait / 1_000} s.`);
      controller.abort(error);
      reject(error);
    });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function required(schemes: readonly Scheme[], { context: { req } }: MatchedExchange): GatewayError {
  const challenges = schemes.flatMap(({ authenticate }) => {
    const { challenge } = authenticate;
    if (challenge === undefined) return [];
    return [typeof challenge === "string" ? challenge : challenge(req)];
  });
  const headers =
    challenges.length === 0 ? {} : { headers: { "www-authenticate": [...new Set(challenges)].join(", ") } };
  return new RequestError("authentication-required", "The request does not show who is asking.", headers);
}

function unavailable(): GatewayError {
  return new OverloadError("authentication-unavailable", "Who is asking cannot be found out at the moment.", {
    headers: { "retry-after": retrySeconds },
  });
}
