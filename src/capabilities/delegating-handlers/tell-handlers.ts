import type { Telling } from "../telling.ts";

/** Tells which handlers a route names. */
export const tellHandlers: Telling = {
  name: "handlers",
  title: "handlers",
  keys: ["DelegatingHandlers"],
  tell({ DelegatingHandlers: names = [] }) {
    if (names.length === 0) return undefined;
    return [names.join(", "), "functions of the option namedHandlers, in this order, behind those of all routes"];
  },
};
