import { GatewayError } from "../../errors.ts";
import { describeValue } from "../../options/describe-value.ts";
import type { OptionNames } from "../../options/refuse-unknown-options.ts";

/** Which files a configuration is made of, besides what their names tell. */
export type FileChoice = Readonly<{
  /** The environment whose file is laid over the others, such as `Production` for `ocelot.Production.json`. */
  environmentName?: string | undefined;
  /** Files of a folder that are passed over, such as an `ocelot.json` that was generated. */
  ignore?: readonly string[] | undefined;
  /** Files of a folder that are parts, though they are named like environments or repeat others. */
  parts?: readonly string[] | undefined;
}>;

/** The names of these options. */
export const fileChoiceNames: OptionNames<FileChoice> = { environmentName: true, ignore: true, parts: true };

/** A choice that names what there can be. */
export type CheckedChoice = Readonly<{
  environmentName: string | undefined;
  ignore: readonly string[];
  parts: readonly string[];
}>;

/** Checks a choice; what is wrong with it is an error of whoever calls. */
export function checkFileChoice(choice: FileChoice): CheckedChoice {
  const { environmentName } = choice;
  const isName = typeof environmentName === "string" && /^[\w-]+(\.[\w-]+)*$/.test(environmentName);
  if (environmentName !== undefined && (!isName || environmentName.toLowerCase() === "global")) {
    throw invalid("environmentName", "the name of an environment, such as Production", environmentName);
  }
  return { environmentName, ignore: namesIn("ignore", choice), parts: namesIn("parts", choice) };
}

function namesIn(option: "ignore" | "parts", { [option]: names = [] }: FileChoice): readonly string[] {
  const isList = Array.isArray(names) && names.every((name: unknown) => typeof name === "string" && name !== "");
  if (isList) return names as readonly string[];
  throw invalid(option, 'a list of file names, such as ["ocelot.json"]', names);
}

function invalid(option: string, expected: string, received: unknown): GatewayError {
  const found = describeValue(received);
  return new GatewayError(
    "option-invalid",
    `Invalid option ${JSON.stringify(option)}: expected ${expected}, received ${found}.`,
  );
}
