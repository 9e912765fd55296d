/** The methods that a route accepts, in upper case; undefined means every method but those that must be named. */
export type MethodCondition = readonly string[] | undefined;

/** These two must be asked for by name: one echoes what the gateway adds, the other opens a tunnel. */
export const onlyByName: ReadonlySet<string> = new Set(["TRACE", "CONNECT"]);

/** Compiles the methods of a route, in any spelling; where it names none, it accepts nearly all. */
export function compileMethodCondition(methods: readonly string[] | undefined): MethodCondition {
  return methods?.length ? inUpperCase(methods) : undefined;
}

/** The list itself where it is so already, as that of a configuration is. */
function inUpperCase(methods: readonly string[]): readonly string[] {
  const names = methods.map((name) => name.trim().toUpperCase());
  return names.every((name, index) => name === methods[index]) ? methods : names;
}

/** Whether a route that names these methods accepts one. */
export function takesMethod(methods: MethodCondition, method: string): boolean {
  return methods === undefined ? !onlyByName.has(method) : methods.includes(method);
}
