import { closestName } from "../closest-name.ts";
import { GatewayError } from "../errors.ts";

/** The names of all options that a function takes; the compiler sees to it that none is missing. */
export type OptionNames<Options> = Readonly<Record<keyof Required<Options>, true>>;

/** Refuses unknown options: a mistyped lock is an open door. */
export function refuseUnknownOptions<Options extends object>(
  given: Options,
  names: OptionNames<Options>,
  taker: string,
): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const closest = closestName(unknown, Object.keys(names));
  const hint =
    closest === undefined ? `There are ${Object.keys(names).join(", ")}.` : `Did you mean ${JSON.stringify(closest)}?`;
  throw new GatewayError("option-invalid", `${taker} has no option ${JSON.stringify(unknown)}. ${hint}`);
}
