import { formDecode } from "./form-decode.ts";

/** One `name=value` of a raw query, with its name as a form decodes it. */
export type QueryParameter = Readonly<{ raw: string; name: string }>;

/** Splits a raw query at `&`, keeping every byte. */
export function splitQuery(query: string): QueryParameter[] {
  return query.split("&").map((raw) => {
    const end = raw.indexOf("=");
    return { raw, name: formDecode(end === -1 ? raw : raw.slice(0, end)) };
  });
}

/**
 * Splits a raw query as servers do for which `;` stands for `&` too (Python before 3.10, Rack 2, CGI of Perl), which is
 * how a parameter hides behind the value of another one.
 */
export function splitAtSemicolons({ raw }: QueryParameter): QueryParameter[] {
  return raw.split(";").flatMap(splitQuery);
}
