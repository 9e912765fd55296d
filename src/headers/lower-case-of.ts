import { rememberPerText } from "../remember-per-text.ts";

/** The name of a header in lower case: the same few come again and again, and V8 looks up the same text faster than an equal one. */
export const lowerCaseOf = rememberPerText((name) => name.toLowerCase());
