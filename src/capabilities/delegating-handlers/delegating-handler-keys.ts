import { list } from "../../schema/key.ts";
import { texts } from "../../schema/values.ts";

/** Handlers of the user's around the call to the upstream. */
export const delegatingHandlerKeys = {
  route: {
    DelegatingHandlers: list(texts, {
      type: "list of texts",
      means: "Handlers of this route by their names in the option `namedHandlers`, behind those of all routes",
      otherwise: "none",
      examples: [["signRequests"]],
      problems: ["lock-value-empty"],
      ocelot: "same; the names are those of the option `namedHandlers`, and an unknown one stops the start",
      isLock: true,
    }),
  },
} as const;
