import { BodyConsumedError } from "../../errors.ts";

/**
 * Refuses a form with a name that a parser of nested values would not read back as it is. Such a parser has made it of another
 * one, `[[role]]x` or `[user[role]]`: written again it would be `[role]`, in which the service reads the `role` that middleware
 * has not seen. The parsers of query strings, which know no brackets, make objects without a prototype, of the very names.
 */
export function refuseBracketsInNames(form: object): void {
  if (Object.getPrototypeOf(form) === null && Object.values(form).every(isFlat)) return;
  if (hasBrackets(form)) throw bracketsUnclear();
}

function isFlat(value: unknown): boolean {
  return typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isFlat));
}

function hasBrackets(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBrackets);
  return Object.entries(value).some(([name, member]) => bracket.test(name) || hasBrackets(member));
}

const bracket = /[[\]]/;

function bracketsUnclear(): BodyConsumedError {
  return new BodyConsumedError(
    "body-consumed",
    "Middleware before the gateway has read a form and left brackets in one of its names, and nobody can tell any more how the " +
      "client has written that name: the service might read another one. Let the parser read nested names, " +
      "express.urlencoded({ extended: true }), where all clients write them well, put it behind the gateway, or keep the bytes in req.rawBody.",
  );
}
