import {
  type ExposedMatch,
  type Locals,
  type LooseRequest,
  type LooseResponse,
  putBack,
  showMatch,
} from "./expose-match.ts";

/** What is in `res.locals` while a request is that of one part. */
export type LocalsOfPart = Readonly<{
  /** The part's own locals. */
  present: () => Locals;
  /** Gives the response the whole's locals back, with what these did not have. */
  takeBack: () => void;
  /** Makes all that was set the whole's, but for what is the part's match. */
  leaveToWhole: () => void;
}>;

/** What tells of a match: each part has its own, and so has the whole. */
const ofMatch: ReadonlySet<string | symbol> = new Set(["route", "placeholders", "requestId", "identity"]);

/** Shows middleware the match of a part, in locals of the part's own. */
export function exposeToPart(req: LooseRequest, res: LooseResponse, match: ExposedMatch): LocalsOfPart {
  const { params } = req;
  const whole = res.locals!;
  const before = Object.getOwnPropertyDescriptors(whole);
  const begun = Object.create(Object.getPrototypeOf(whole) as object | null, before) as Locals;
  let taken: Locals | undefined;
  res.locals = begun;
  showMatch(req, begun, match);
  return { present, takeBack, leaveToWhole };

  /** Middleware may have put others in their place. */
  function present(): Locals {
    if (taken !== undefined) return taken;
    const { locals } = res;
    return typeof locals === "object" && (locals as object | null) !== null ? locals : begun;
  }

  function takeBack(): void {
    taken = present();
    res.locals = whole;
    putBack(req, { params });
    for (const name of namesIn(taken)) if (!Object.hasOwn(before, name)) copy(name, taken, whole);
  }

  function leaveToWhole(): void {
    takeBack();
    const set = present();
    for (const name of namesIn(set)) copy(name, set, whole);
    for (const name of namesIn(before)) if (!Object.hasOwn(set, name)) Reflect.deleteProperty(whole, name);
  }
}

/** Keeps what an object has; the function that comes back gives it that again. */
export function keepMembers(owner: object): () => void {
  const members = Object.getOwnPropertyDescriptors(owner);
  return function giveBack() {
    for (const name of Reflect.ownKeys(members)) Reflect.defineProperty(owner, name, members[name as string]!);
  };
}

function namesIn(locals: object): (string | symbol)[] {
  return Reflect.ownKeys(locals).filter((name) => !ofMatch.has(name));
}

function copy(name: string | symbol, from: object, to: object): void {
  Reflect.defineProperty(to, name, Object.getOwnPropertyDescriptor(from, name)!);
}
