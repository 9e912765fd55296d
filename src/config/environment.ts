/** Values by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What can be wrong with a variable in a text. */
export type VariableFault = Readonly<{ code: "variable-unset" | "variable-ill-formed"; message: string }>;

/** Puts the values of variables into a text, and tells what is wrong with them. */
export type Substitute = (text: string, fail: (fault: VariableFault) => void) => string;

// "$${" stands for "${" itself; a default may hold placeholders, such as "/orders/{id}".
const variables = /\$(\$\{)|\$\{((?:[^{}]|\{[^{}]*\})*)\}|\$\{/g;
const nameAndDefault = /^([A-Za-z_]\w*)(?::-(.*))?$/s;

/**
 * Makes the function that replaces `${NAME}` and `${NAME:-default}`. It is given texts that were read from JSON already,
 * so no value can add a key or close a bracket; where something is wrong, the text stays as it is.
 */
export function createSubstitute(environment: Environment): Substitute {
  return function substitute(text, fail) {
    if (!text.includes("${")) return text;
    return text.replaceAll(variables, (written: string, escaped?: string, inner?: string) => {
      if (escaped !== undefined) return escaped;
      const [, name, otherwise] = nameAndDefault.exec(inner ?? "") ?? [];
      if (name === undefined) return refuse(written, illFormed(written));
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (value !== undefined && value !== "") return value;
      return otherwise ?? value ?? refuse(written, unset(name));
    });

    function refuse(written: string, fault: VariableFault): string {
      fail(fault);
      return written;
    }
  };
}

function illFormed(written: string): VariableFault {
  const message = `expected a variable such as "\${NAME}" or "\${NAME:-default}", found ${JSON.stringify(written)}; "$\${" stands for "\${" itself`;
  return { code: "variable-ill-formed", message };
}

function unset(name: string): VariableFault {
  const message = `the environment variable ${JSON.stringify(name)} is not set: set it, or give a default with "\${${name}:-default}"`;
  return { code: "variable-unset", message };
}
