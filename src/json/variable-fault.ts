/** What can be wrong with a variable in a text. */
export type VariableFault = Readonly<{ code: "variable-unset" | "variable-ill-formed"; message: string }>;

/** Puts the values of variables into a text, and tells what is wrong with them. */
export type Substitute = (text: string, fail: (fault: VariableFault) => void) => string;
