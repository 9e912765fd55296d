/** What stands for `{{A}}` and other names in a trace: ports of downstreams, the gateway's, tokens. */
export type TraceValues = Map<string, string>;

/** Fills the names in a text; one that nobody knows stays. */
export function fillText(text: string, values: TraceValues): string {
  return text.replace(/\{\{([\w:]+)\}\}/g, (all, name: string) => values.get(name) ?? all);
}

/** Fills the names in all texts of a value. */
export function fillTexts<Value>(value: Value, values: TraceValues): Value {
  return JSON.parse(fillText(JSON.stringify(value), values)) as Value;
}
