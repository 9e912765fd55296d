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
    return address.replace(part, (_all, sign: string, text: string) => {
      const kept = withoutParameters(text);
      return kept === "" ? "" : sign + kept;
    });
  };
}
