import type { Substitute, VariableFault } from "../../json/variable-fault.ts";
import { looksSecret } from "../../secrets/secret-names.ts";

/** Values by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const opening = "${";
const nameAndDefault = /^([A-Za-z_]\w*)(?::-(.*))?$/s;

/**
 * Makes the function that replaces `${NAME}` and `${NAME:-default}`. It is given texts that were read from JSON already,
 * so no value can add a key or close a bracket; where something is wrong, the text stays as it is. The values of variables
 * that are named like secrets are noted, as no key around them may tell that they are some.
 */
export function createSubstitute(environment: Environment, noteSecret: (value: string) => void): Substitute {
  return function substitute(text, fail) {
    let result = "";
    let end = 0;
    for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, end)) {
      // "$${" stands for "${" itself.
      const isEscaped = start > end && text[start - 1] === "$";
      result += text.slice(end, isEscaped ? start - 1 : start);
      end = isEscaped ? start + opening.length : endOfVariable(text, start);
      result += isEscaped ? opening : valueOf(text.slice(start, end));
    }
    return end === 0 ? text : result + text.slice(end);

    function valueOf(written: string): string {
      const [, name, otherwise] = nameAndDefault.exec(written.slice(opening.length, -1)) ?? [];
      if (name === undefined) return refuse(written, illFormed(written));
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      const used = value === undefined || value === "" ? (otherwise ?? value) : value;
      if (used === undefined) return refuse(written, unset(name));
      if (used !== "" && looksSecret(name)) noteSecret(used);
      return used;
    }

    function refuse(written: string, fault: VariableFault): string {
      fail(fault);
      return written;
    }
  };
}

/** Where a variable ends; its default may hold placeholders, such as "/orders/{id}". Behind "${" where it is not closed. */
function endOfVariable(text: string, start: number): number {
  let isInPlaceholder = false;
  for (let index = start + opening.length; index < text.length; index += 1) {
    const character = text[index];
    if (character === "}" && !isInPlaceholder) return index + 1;
    if (character === "{" && isInPlaceholder) break;
    if (character === "{" || character === "}") isInPlaceholder = character === "{";
  }
  return start + opening.length;
}

function illFormed(written: string): VariableFault {
  const message = `expected a variable such as "\${NAME}" or "\${NAME:-default}", found ${JSON.stringify(written)}; "$\${" stands for "\${" itself`;
  return { code: "variable-ill-formed", message };
}

function unset(name: string): VariableFault {
  const message = `the environment variable ${JSON.stringify(name)} is not set: set it, or give a default with "\${${name}:-default}"`;
  return { code: "variable-unset", message };
}
