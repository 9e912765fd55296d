import { looksSecret, secretMask } from "../secrets.ts";
import { namingParameters } from "../naming-parameters.ts";
import { knownKeys } from "./known-keys.ts";

// The value of a parameter in a template, unless it is nothing but a placeholder, or where the naming service reads it.
const literalValues = new RegExp(
  `(?<=[?&](?!(?:${namingParameters.join("|")})=)[^=&"\\s]*=)(?!\\{[^{}"]*\\}(?:[&"#\\s]|$))[^&"#\\s]+`,
  "g",
);

const members = /"((?:[^"\\]|\\.)*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

const harmlessKeys: ReadonlySet<string> = new Set(
  [...Object.values(knownKeys).flatMap((section) => Object.keys(section)), "AuthenticationProviderKey"].map((key) =>
    key.toLowerCase(),
  ),
);

/** A message about a configuration as it may be shown: literal values of parameters in the templates it quotes are `***`. */
export function maskMessage(message: string): string {
  return message.replaceAll(literalValues, secretMask);
}

/** A line of a configuration as it may be shown. Secrets become as many asterisks, so that columns stay true. */
export function maskSource(line: string): string {
  return line.replaceAll(literalValues, asterisks).replaceAll(members, (member: string, key: string, value: string) => {
    const isSecret = looksSecret(key) && !harmlessKeys.has(key.toLowerCase());
    return isSecret ? `${member.slice(0, -value.length - 1)}${asterisks(value)}"` : member;
  });
}

function asterisks(text: string): string {
  return "*".repeat(text.length);
}
