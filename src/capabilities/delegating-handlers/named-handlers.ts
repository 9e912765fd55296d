import type { DelegatingHandler } from "../../delegating-handler.ts";
import { ownerOf } from "../../route-name.ts";
import { lookUpName } from "../look-up-name.ts";
import { defineCapability } from "../capability.ts";
import { tellHandlers } from "./tell-handlers.ts";

/** The handlers that a route names, in its order; a handler that all routes have runs at the place of its name. */
export const namedHandlers = defineCapability("delegating handlers", {
  tells: tellHandlers,
  compile(config, _shared, { options }) {
    const { DelegatingHandlers: names } = config;
    if (names === undefined || names.length === 0) return undefined;
    const known = options.namedHandlers ?? {};
    const handlers = names.map((name): DelegatingHandler => {
      const source = "the option namedHandlers of createGateway()";
      return lookUpName(known, name, { source, asker: `"DelegatingHandlers" of ${ownerOf(config)}` });
    });
    return { handlers: [...new Set(handlers)] };
  },
});
