/** How many characters a line of the program's tables has at most, unless one word is longer. */
export const widestLine = 100;

/** The lines of a text, broken at blanks. */
export function wrapText(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
