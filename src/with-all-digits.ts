type RawJson = Readonly<{ rawJSON: (text: string) => unknown }>;

/** For `JSON.stringify`: integers that a number cannot hold, which are bigints, keep all their digits. */
export function withAllDigits(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? (JSON as unknown as RawJson).rawJSON(String(value)) : value;
}
