/** What a writer of forms leaves as it is, though browsers escape it, and how much longer it makes a space. */
type Writer = Readonly<{ leaves?: RegExp; spaceAdds: number }>;

const brackets = /%5[BD]/g;
const marks = /%(?:2[1789]|7E)/g;
const bracketsAndMarks = /%(?:5[BD]|2[1789]|7E)/g;

/** The usual ones first: different spellings may come to one length. */
const writers: readonly Writer[] = [
  { spaceAdds: 0 }, // browsers, URLSearchParams
  { leaves: marks, spaceAdds: 0 }, // jQuery
  { leaves: marks, spaceAdds: 2 }, // encodeURIComponent
  { leaves: bracketsAndMarks, spaceAdds: 0 }, // people
  { leaves: bracketsAndMarks, spaceAdds: 2 }, // qs, where it escapes values only
  { leaves: brackets, spaceAdds: 0 },
];

/** Finds the form, of several as browsers write them, that one of the usual writers makes as long as what was sent. */
export function findFormOfLength(forms: readonly string[], length: number): string | undefined {
  for (const writer of writers) {
    const found = forms.find((form) => lengthAs(writer, form) === length);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lengthAs({ leaves, spaceAdds }: Writer, form: string): number {
  const left = leaves === undefined ? 0 : count(form, leaves);
  const spaces = spaceAdds === 0 ? 0 : count(form, /\+/g);
  return form.length - 2 * left + spaceAdds * spaces;
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}
