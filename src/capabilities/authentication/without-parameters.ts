import { identitiesOf } from "../../forwarding/template-parameters.ts";
import { type QueryParameter, splitAtSemicolons, splitQuery } from "../../urls/client-query.ts";
import { parameterIdentities } from "../../urls/parameter-aliases.ts";

/** Prepares to drop parameters from a query, as upstreams may read their names, and behind semicolons, too. */
export function createWithoutParameters(names: readonly string[]): (query: string) => string {
  const taken = identitiesOf(names.map((name) => ({ raw: name, name })));
  return function withoutParameters(query) {
    return splitQuery(query).flatMap(withoutTaken).join("&");
  };

  function withoutTaken(parameter: QueryParameter): readonly string[] {
    const pieces = parameter.raw.includes(";") ? splitAtSemicolons(parameter) : [parameter];
    const kept = pieces.filter((piece) => !parameterIdentities(piece).some((identity) => taken.has(identity)));
    return kept.length === 0 ? [] : [kept.map(({ raw }) => raw).join(";")];
  }
}

// A sign that ends what stands before it, and what stands behind it up to the next one.
const part = /([?#,\s]?)([^?#,\s]+)/g;

/** Prepares to drop parameters from an address, or from several, each of which may be whole, or a query alone. */
export function createWithoutInAddress(names: readonly string[]): (address: string) => string {
  const withoutParameters = createWithoutParameters(names);
  return function withoutInAddress(address) {
    // What joins that which stands behind a dropped value, as long as such a value may go on.
    let joining: string | undefined;
    let isQuery = false;
    return address.replace(part, (_all, sign: string, text: string) => {
      // A comma may stand within a value, and in a query a question mark, too.
      const goesOn = joining !== undefined && (sign === "," || (sign === "?" && isQuery));
      isQuery = goesOn ? isQuery : querySigns.has(sign) || !text.includes("/");
      const rest = goesOn ? behindValue(text) : text;
      if (rest === undefined) return "";
      const opening = goesOn ? joining! : sign;
      const kept = withoutParameters(rest);
      joining = isDropped(lastOf(rest)) ? (kept === "" ? opening : "&") : undefined;
      return kept === "" ? "" : opening + kept;
    });
  };

  function isDropped(parameter: string): boolean {
    return parameter !== "" && withoutParameters(parameter) === "";
  }
}

const querySigns: ReadonlySet<string> = new Set(["?", "#"]);

/** The parameters behind the end of a value; undefined where it has no end. */
function behindValue(text: string): string | undefined {
  const end = text.search(/[&;]/);
  return end === -1 ? undefined : text.slice(end + 1);
}

function lastOf(parameters: string): string {
  return parameters.slice(Math.max(parameters.lastIndexOf("&"), parameters.lastIndexOf(";")) + 1);
}
