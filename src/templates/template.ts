/** A literal text, already in the form it has in a URL, or the place of a value. */
export type TemplatePart = string | Readonly<{ placeholder: string }>;

/** A `{placeholder}` template, parsed once; matched and filled elsewhere. */
export type Template = Readonly<{ text: string; parts: readonly TemplatePart[] }>;

/** What is wrong with the braces of a template text. */
export type TemplateFault = Readonly<{ fault: "unclosed" | "empty" | "ill-named" | "stray"; found: string }>;

const bracedText = /\{([^{}]*)\}/g;
const placeholderName = /^\w+$/;
// Blanks and everything outside visible ASCII.
const needsEscape = /[^!-~]+/g;

/** Parses a template that {@link findTemplateFault} finds nothing wrong with; header templates keep their literals as they are. */
export function parseTemplate(text: string, toLiteral: (text: string) => string = encodeLiteral): Template {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const braced of text.matchAll(bracedText)) {
    if (braced.index > end) parts.push(toLiteral(text.slice(end, braced.index)));
    parts.push({ placeholder: braced[1]! });
    end = braced.index + braced[0].length;
  }
  if (text.length > end) parts.push(toLiteral(text.slice(end)));
  return { text, parts };
}

/** Blanks and non-ASCII characters of a literal stand for their percent-encoded form. */
export function encodeLiteral(literal: string): string {
  return literal.replace(needsEscape, (run) => encodeURIComponent(run.toWellFormed()));
}

/** The names of the placeholders in a template text, in order, repeats included. */
export function placeholderNames(text: string): string[] {
  return [...text.matchAll(bracedText)].map((braced) => braced[1]!);
}

/** The first fault in the braces of a template text; undefined when it can be parsed. */
export function findTemplateFault(text: string): TemplateFault | undefined {
  for (const [found, name] of text.matchAll(bracedText)) {
    if (name === "") return { fault: "empty", found };
    if (!placeholderName.test(name!)) return { fault: "ill-named", found };
  }
  const rest = text.replace(bracedText, "");
  const opened = rest.indexOf("{");
  if (opened !== -1) return { fault: "unclosed", found: rest.slice(opened) };
  const closed = rest.indexOf("}");
  if (closed !== -1) return { fault: "stray", found: rest.slice(0, closed + 1) };
  return undefined;
}
