import type { MatchedExchange } from "../../../exchange/matched-exchange.ts";
import type { AuthenticatorContext } from "../authenticator.ts";

/** How a scheme asks clients for what it did not find: by a challenge, or by an answer of its own. */
export type Refusal = Readonly<{ challenge?: string; answer?: () => Promise<undefined> }>;

/** What a scheme has done that was asked with a response of its own. */
type Attempt = Readonly<{
  /** It has recognised the client: what it has set holds from now on. */
  accept: () => void;
  /** It has not: what it has set is dropped, and nothing that it does later reaches anybody. */
  dismiss: () => Refusal;
}>;

/** One question to one scheme. */
export type Trial = {
  readonly exchange: MatchedExchange;
  attempt: Attempt | undefined;
  controller: AbortController | undefined;
};

const trialOf = Symbol("trial");

type ContextOfTrial = AuthenticatorContext & { readonly [trialOf]: Trial };

/** Most schemes answer at once, and look at no signal: it is made for those that do. */
const lazySignal = {
  get signal(): AbortSignal {
    return controllerOf((this as unknown as ContextOfTrial)[trialOf]).signal;
  },
};

/** What a scheme is told, and beside it, for schemes of the package's own, the exchange. */
export function contextOf(trial: Trial): AuthenticatorContext {
  const context = Object.create(lazySignal) as { -readonly [Name in keyof ContextOfTrial]: ContextOfTrial[Name] };
  context.route = trial.exchange.context.route;
  context[trialOf] = trial;
  return context;
}

/** Ends a question; made when somebody asks for it. */
export function controllerOf(trial: Trial): AbortController {
  return (trial.controller ??= new AbortController());
}

/** The trial that a context belongs to; undefined for one that other code has made. */
export function findTrial(context: AuthenticatorContext | undefined): Trial | undefined {
  return (context as Partial<ContextOfTrial> | undefined)?.[trialOf];
}
