import type { Headers } from "../../delegating-handler.ts";
import { splitCookies } from "../../headers/cookies.ts";
import { type NotesOfShortened, shorten } from "../../headers/shortened-headers.ts";
import { formDecode } from "../../urls/form-decode.ts";
import { parameterIdentities } from "../../urls/parameter-aliases.ts";

/**
 * Prepares to drop cookies of some names, as upstreams may read them: PHP decodes names and cuts them at a bracket, others
 * ignore case and quotes, and to those of RFC 2109 a comma parts two cookies.
 */
export function createDropCookies(names: readonly string[]): (headers: Headers, request: NotesOfShortened) => void {
  const taken = new Set(names.flatMap(identitiesOf));
  return function dropCookies(headers, request) {
    const kept = splitCookies(String(headers.cookie)).flatMap(({ raw }) => {
      const pieces = raw.split(",").filter((piece) => !isTaken(piece));
      return pieces.length === 0 ? [] : [pieces.join(",")];
    });
    if (kept.length === 0) delete headers.cookie;
    else shorten(headers, "cookie", kept.join(";").trim(), request);
  };

  function isTaken(piece: string): boolean {
    const sign = piece.indexOf("=");
    return sign !== -1 && identitiesOf(piece.slice(0, sign)).some((identity) => taken.has(identity));
  }
}

function identitiesOf(written: string): readonly string[] {
  const raw = written.trim().replaceAll('"', "").trim();
  return parameterIdentities({ raw, name: formDecode(raw) });
}
