import type { ConfigRule } from "../../../config/rules/rule.ts";
import { quote } from "../../../json/json-node.ts";
import { findMember, locate } from "../../../json/place.ts";

/** The keys of a scheme that hold secrets. */
export const secretKeys = ["Secret", "ClientSecret"] as const;

/** Warns of secrets that stand in a file as they are: files are copied, sent and kept in version control. */
export const warnOfLiteralSecrets: ConfigRule = function warnOfLiteralSecrets({ global: { config, place }, report }) {
  for (const [name, scheme] of Object.entries(config.AuthenticationSchemes ?? {})) {
    for (const key of secretKeys) {
      const found = findMember(locate(place, ["AuthenticationSchemes", name]), key);
      // What came as an object stands in no file, or its code has read it from one.
      if (scheme[key] === undefined || found === undefined || found.span.start === -1) continue;
      if ("holdsVariable" in found.node || scheme[key].includes("${")) continue;
      const message = `the ${quote(key)} of scheme ${quote(name)} can be read in the file`;
      report("secret-literal", found, `${message}: write "\${VARIABLE}", and give its value in the environment`);
    }
  }
};
