import { text } from "../../schema/values.ts";
import { scalar } from "../../schema/key.ts";

/** The header that carries the id of a request. */
export const requestIdKeys = {
  route: {
    RequestIdKey: scalar(text, {
      type: "header name",
      means: "The header that carries the request's id",
      otherwise: "global, else none",
      examples: ["X-Request-Id"],
      problems: ["header-name-invalid", "header-name-reserved"],
      ocelot: "the id goes back to the client too; one that is no visible ASCII, or too long, is replaced",
    }),
  },
  global: {
    RequestIdKey: scalar(text, {
      type: "header name",
      means: "The header that carries the request's id, for routes without one",
      otherwise: "none",
      examples: ["X-Request-Id"],
      problems: ["header-name-invalid", "header-name-reserved"],
      ocelot: "the id goes back to the client too; one that is no visible ASCII, or too long, is replaced",
    }),
  },
} as const;
