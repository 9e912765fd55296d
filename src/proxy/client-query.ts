import { formDecode } from "../template/form-decode.ts";

/** One `name=value` of a raw query, with its name as a form decodes it. */
export type QueryParameter = Readonly<{ raw: string; name: string }>;

/** Splits a raw query at `&`, keeping every byte. */
export function splitQuery(query: string): QueryParameter[] {
  return query.split("&").map((raw) => {
    const end = raw.indexOf("=");
    return { raw, name: formDecode(end === -1 ? raw : raw.slice(0, end)) };
  });
}

/** What an upstream may read a parameter as, whatever its spelling: no case, and `name[…` is `name`. */
export function parameterIdentity({ name }: QueryParameter): string {
  const lower = name.toLowerCase();
  const bracket = lower.indexOf("[");
  return bracket === -1 ? lower : lower.slice(0, bracket);
}
