/** One `name=value` of a Cookie header, as it stands there and without blanks around its halves. */
type CookiePair = Readonly<{ raw: string; name: string; value: string }>;

/** Splits a Cookie header; a pair without a sign has an empty name, as for browsers. */
export function splitCookies(header: string): CookiePair[] {
  return header.split(";").map((raw) => {
    const sign = raw.indexOf("=");
    const value = raw.slice(sign + 1).trim();
    return { raw, name: raw.slice(0, Math.max(0, sign)).trim(), value: value.replace(/^"(.*)"$/, "$1") };
  });
}
