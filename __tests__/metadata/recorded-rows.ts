import { readFileSync } from "node:fs";

/** What .NET threw instead of giving a value. */
export type Thrown = Readonly<{ throws: "Format" | "Overflow" | "Argument" | "Json" }>;

/** The rows of a file of recorded answers of .NET. */
export function recordedRows<Row>(file: string): Row[] {
  const url = new URL(`../fixtures/vectors/${file}`, import.meta.url);
  return (JSON.parse(readFileSync(url, "utf8")) as { rows: Row[] }).rows;
}

/** Whether a recorded answer is a failure. */
export function isThrown(result: unknown): result is Thrown {
  return typeof result === "object" && result !== null && "throws" in result;
}
