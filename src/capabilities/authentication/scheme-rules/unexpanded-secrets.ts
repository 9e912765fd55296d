import type { ConfigRule } from "../../../config/rules/rule.ts";
import { quote } from "../../../json/json-node.ts";
import { locate } from "../../../json/place.ts";
import { secretKeys } from "./literal-secrets.ts";

const variable = /\$\{[A-Za-z_]\w*(?::-[^}]*)?\}/;

/**
 * The text of a variable is no secret: it stands in the file, and whoever has read it could sign tokens. No value of a
 * variable holds another one either, as nobody expands it.
 */
export const checkExpandedSecrets: ConfigRule = function checkExpandedSecrets({ global: { config, place }, report }) {
  for (const [name, scheme] of Object.entries(config.AuthenticationSchemes ?? {})) {
    for (const key of secretKeys) {
      check(scheme[key], ["AuthenticationSchemes", name, key], `the ${quote(key)} of scheme ${quote(name)}`);
    }
  }
  check(config.IdentityKey, ["IdentityKey"], "the key");
  check(config.StickyKey, ["StickyKey"], "the key");
  check(config.Redis?.Url, ["Redis", "Url"], "the address of Redis");

  function check(secret: string | undefined, path: readonly string[], what: string): void {
    if (secret === undefined || !variable.test(secret)) return;
    const found = `${what} still holds the name of a variable, as variables were not expanded`;
    const remedy = "expand them with --env, or in code with the option environment, such as process.env";
    report("secret-unexpanded", locate(place, path), `${found}: ${remedy}`);
  }
};
