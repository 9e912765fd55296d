/** The status of a part's answer, for the header that tells them all. */
type PartStatus = Readonly<{ key: string; status: number }>;

/** The value of `Aggregate-Status`: a list of RFC 9651 of the parts, each with its status. */
export function formatStatuses(statuses: readonly PartStatus[]): string {
  return statuses.map(({ key, status }) => `${formatText(key)};status=${status}`).join(", ");
}

const printable = /^[ -~]*$/;

/** A text as a string of RFC 9651 where it is ASCII, else as a display string. */
function formatText(text: string): string {
  if (printable.test(text)) return `"${text.replace(/["\\]/g, "\\$&")}"`;
  const bytes = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    return printable.test(character) && !'%"'.includes(character)
      ? character
      : `%${byte.toString(16).padStart(2, "0")}`;
  });
  return `%"${bytes.join("")}"`;
}
