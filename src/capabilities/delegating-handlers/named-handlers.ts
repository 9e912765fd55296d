import type { DelegatingHandler } from "../../delegating-handler.ts";
import { lookUpName } from "../look-up-name.ts";
import { defineCapability } from "../capability.ts";

/** The handlers that a route names, in its order; a handler that all routes have runs at the place of its name. */
export const namedHandlers = defineCapability("delegating handlers", {
  compile({ DelegatingHandlers: names, Key }, _shared, { options }) {
    if (names === undefined || names.length === 0) return undefined;
    const known = options.namedHandlers ?? {};
    const owner = Key === undefined ? "a route" : `route ${JSON.stringify(Key)}`;
    const handlers = names.map((name): DelegatingHandler => {
      const source = "the option namedHandlers of createGateway()";
      return lookUpName(known, name, { source, asker: `"DelegatingHandlers" of ${owner}` });
    });
    return { handlers: [...new Set(handlers)] };
  },
});
