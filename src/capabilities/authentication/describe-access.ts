import type { GlobalConfig } from "../../config/sections.ts";
import { type LockedRoute, requirementOf } from "../../identity/required-schemes.ts";

/** Who may come in on a route, by the names that its configuration has for that. */
export type Access = Readonly<{
  /** Whether anybody may come in; then all lists are empty. */
  open: boolean;
  /** One of these must recognise the client. */
  schemes: readonly string[];
  /** The client needs one of these, where there are any. */
  scopes: readonly string[];
  /** The names of the claims of which the client needs a certain value, all of them. */
  claims: readonly string[];
  /** All of it in a few words. */
  summary: string;
}>;

const anybody: Access = { open: true, schemes: [], scopes: [], claims: [], summary: "anybody" };

/** Who may come in on a route. */
export function accessOf(route: LockedRoute, global: Pick<GlobalConfig, "AuthenticationOptions">): Access {
  const requirement = requirementOf(route, global);
  if (requirement === undefined) return anybody;
  const { schemes, scopes } = requirement;
  const claims = Object.keys(route.RouteClaimsRequirement ?? {});
  return { open: false, schemes, scopes, claims, summary: summarise(schemes, scopes, claims) };
}

function summarise(schemes: readonly string[], scopes: readonly string[], claims: readonly string[]): string {
  const scope = scopes.length === 0 ? [] : [`scope ${scopes.join(" or ")}`];
  const claim = claims.length === 0 ? [] : [`claim ${claims.join(" and ")}`];
  return [schemes.join(" or "), ...scope, ...claim].join(", ");
}
