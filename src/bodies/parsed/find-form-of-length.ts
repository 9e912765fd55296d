/** What a writer of forms leaves as it is, though browsers escape it, and how much longer it makes a space. */
type Writer = Readonly<{ leavesBrackets: boolean; leavesMarks: boolean; spaceAdds: number }>;

/** The usual ones first: different spellings may come to one length. */
const writers: readonly Writer[] = [
  { leavesBrackets: false, leavesMarks: false, spaceAdds: 0 }, // browsers, URLSearchParams
  { leavesBrackets: false, leavesMarks: true, spaceAdds: 0 }, // jQuery
  { leavesBrackets: false, leavesMarks: true, spaceAdds: 2 }, // encodeURIComponent
  { leavesBrackets: true, leavesMarks: true, spaceAdds: 0 }, // people
  { leavesBrackets: true, leavesMarks: true, spaceAdds: 2 }, // qs, where it escapes values only
  { leavesBrackets: true, leavesMarks: false, spaceAdds: 0 },
];

/** A form as browsers write it, and how many signs of it others would write in another way. */
type CountedForm = Readonly<{ form: string; brackets: number; marks: number; spaces: number }>;

/** Finds the form, of several as browsers write them, that one of the usual writers makes as long as what was sent. */
export function findFormOfLength(forms: readonly string[], length: number): string | undefined {
  const counted = forms.map(countSigns);
  for (const writer of writers) {
    const found = counted.find((form) => lengthAs(writer, form) === length);
    if (found !== undefined) return found.form;
  }
  return undefined;
}

function lengthAs({ leavesBrackets, leavesMarks, spaceAdds }: Writer, counted: CountedForm): number {
  const { form, brackets, marks, spaces } = counted;
  return form.length - 2 * ((leavesBrackets ? brackets : 0) + (leavesMarks ? marks : 0)) + spaceAdds * spaces;
}

const [percent, plus] = ["%", "+"].map((sign) => sign.charCodeAt(0)) as [number, number];

/** Counts in one pass: a form may hold as many signs as characters, of which no list is to be made. */
function countSigns(form: string): CountedForm {
  let brackets = 0;
  let marks = 0;
  let spaces = 0;
  for (let at = 0; at < form.length; at += 1) {
    const sign = form.charCodeAt(at);
    if (sign === plus) spaces += 1;
    else if (sign === percent) {
      const escaped = form.slice(at + 1, at + 3);
      if (escaped === "5B" || escaped === "5D") brackets += 1;
      else if (escapedMarks.has(escaped)) marks += 1;
    }
  }
  return { form, brackets, marks, spaces };
}

// ! ' ( ) ~
const escapedMarks: ReadonlySet<string> = new Set(["21", "27", "28", "29", "7E"]);
