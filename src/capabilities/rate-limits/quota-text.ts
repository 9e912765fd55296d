/** Ocelot's own words. */
const usualText = "API calls quota exceeded! Maximum admitted {0} per {1}.";

// Braces that .NET's formatting understands; a text with others, such as JSON, is taken as it stands.
const formattable = /^(?:[^{}]|\{\{|\}\}|\{[01](?:,-?\d{1,4})?(?::[^{}]*)?\})*$/;
const part = /\{\{|\}\}|\{([01])(?:,(-?\d{1,4}))?(?::([^{}]*))?\}/g;
const bare = /\{([01])\}/g;

/** Fills in what was exceeded: `{0}` is the limit, `{1}` the period as it is written, as .NET formats them. */
export function fillQuotaText(text: string | undefined, limit: number, period: string): string {
  const template = text === undefined || text.trim() === "" ? usualText : text;
  const values = [String(limit), period] as const;
  if (!formattable.test(template)) return template.replace(bare, (_all, index: "0" | "1") => values[index]);
  return template.replace(part, (all: string, index?: "0" | "1", width?: string, digits?: string) => {
    return index === undefined ? all.charAt(0) : align(withDigits(values[index], index, digits), width);
  });
}

function withDigits(value: string, index: "0" | "1", format = ""): string {
  const digits = index === "0" ? /^D(\d{1,2})$/i.exec(format)?.[1] : undefined;
  return digits === undefined ? value : value.padStart(Number(digits), "0");
}

function align(value: string, width = "0"): string {
  const length = Number(width);
  return length < 0 ? value.padEnd(-length) : value.padStart(length);
}
