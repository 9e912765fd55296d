const day = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const longDay = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const month = "(?<month>[a-z]{3})";
const time = "(?<time>\\d{2}:\\d{2}:\\d{2})";

/** The forms of a date in HTTP, the two obsolete ones last. */
const forms = [
  `${day}, (?<date>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT`,
  `${longDay}, (?<date>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT`,
  `${day} ${month} (?<date>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`, "i"));

/** Reads a date as RFC 9110 has it, in milliseconds since 1970; undefined for what only looks like one. */
export function readHttpDate(text: string | undefined): number | undefined {
  const parts = forms.map((form) => form.exec(text?.trim() ?? "")?.groups).find((found) => found !== undefined);
  if (parts === undefined) return undefined;
  const milliseconds = Date.parse(`${parts.date} ${parts.month} ${wholeYear(parts.year!)} ${parts.time} GMT`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const centuryYears = 100;
const farAhead = 50;

/** A year of two digits is the last one that has these, unless another is less than fifty years ahead. */
function wholeYear(year: string): number {
  if (year.length > 2) return Number(year);
  const present = new Date().getUTCFullYear();
  const inCentury = present - (present % centuryYears) + Number(year);
  return inCentury > present + farAhead ? inCentury - centuryYears : inCentury;
}
