import type { GivenHeaders, Headers } from "../delegating-handler.ts";
import { GatewayError } from "../errors.ts";
import { emptyHeaders } from "./headers-without-prototype.ts";

/** Headers that code has given, as an object of names and values: of pairs, as web `Headers` and a `Map` give, it makes one. */
export function givenHeaders(given: GivenHeaders): Headers {
  return isPairs(given) ? fromPairs(given) : given;
}

/** Headers that code has given, where some can be taken out: constants that are frozen stay as they are. */
export function changeableHeaders(given: GivenHeaders): GivenHeaders {
  return isPairs(given) || !Object.isFrozen(given) ? given : { ...given };
}

/** Takes headers out of what code has given, where that is: the code may go on to set others there. */
export function takeOut(given: GivenHeaders, names: readonly string[]): void {
  if (!isPairs(given)) {
    for (const name of names) delete given[name];
    return;
  }
  for (const pair of [...given]) {
    const name: unknown = pair[0];
    if (!names.includes(String(name).toLowerCase())) continue;
    if ("delete" in given) (given as Map<unknown, unknown>).delete(name);
    else if (Array.isArray(given)) given.splice(given.indexOf(pair), 1);
  }
}

/** Code in JavaScript may give nothing in place of headers. */
function isPairs(given: GivenHeaders): given is Exclude<GivenHeaders, Headers> {
  return Symbol.iterator in (Object(given) as object);
}

/** A name that comes more than once, as `set-cookie` does, has a list of its values. */
function fromPairs(pairs: Exclude<GivenHeaders, Headers>): Headers {
  const headers = emptyHeaders();
  // An iterator has its pairs only once, and would give the next call none.
  if (Object.is(pairs[Symbol.iterator](), pairs)) throw noPairs();
  for (const pair of pairs as Iterable<unknown>) {
    if (!Array.isArray(pair) || pair.length !== 2) throw noPairs();
    const [name, value] = [String(pair[0]).toLowerCase(), pair[1] as Headers[string]];
    headers[name] = headers[name] === undefined ? value : [headers[name], value].flat();
  }
  return headers;
}

function noPairs(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "The headers of a request or an answer were set to a text, an iterator, or a list that is not one of pairs; " +
      'expected an object such as { "x-name": "value" }, web Headers, a Map, or a list such as [["x-name", "value"]].',
  );
}
