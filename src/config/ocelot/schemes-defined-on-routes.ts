import type { Place } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";

/** Keys by which the first versions of Ocelot defined a scheme where it is used, in lower case. */
const definingKeys: ReadonlySet<string> = new Set([
  "provider",
  "providerrooturl",
  "requirehttps",
  "apiname",
  "apisecret",
  "scopename",
  "scopesecret",
  "additionalscopes",
]);

/** Whether a key of `AuthenticationOptions` defines a scheme where it is used. */
export function definesScheme(key: string): boolean {
  return definingKeys.has(key.toLowerCase());
}

/** Refuses keys that define a scheme in place, all of a section at once: there is one thing to do about them. */
export function reportScheme(at: Place, report: Report): void {
  const members = at.parent?.node.kind === "object" ? at.parent.node.members : [];
  const names = members.map(({ name }) => name).filter(definesScheme);
  if (names[0]?.toLowerCase() !== String(at.key).toLowerCase()) return;
  const written = names.map((name) => JSON.stringify(name)).join(", ");
  const found = `with ${written} the first versions of Ocelot defined a scheme in place, which guards nothing here`;
  report("lock-key-unknown", at, `${found}: ${remedy}`);
}

const remedy = [
  'write "AuthenticationProviderKey": "Login" instead, or another name, and define the scheme of this name:',
  '"GlobalConfiguration": {',
  '  "AuthenticationSchemes": {',
  '    "Login": { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }',
  "  }",
  "}",
].join("\n");
