import { z } from "zod";
import type { GatewayHandler } from "../../src/index.ts";

const pluginSettings = z.object({ level: z.number(), tags: z.array(z.string()) });

/** Tells the downstream, in headers, how its plugin is set for the route. */
export const applyPlugin: GatewayHandler = function applyPlugin(req, res, next) {
  const { getMetadata } = res.locals.route;
  if (getMetadata("plugin1.enabled", "bool")) {
    const { level, tags } = getMetadata("plugin1/settings", pluginSettings, { level: 1, tags: [] });
    req.headers["x-plugin-level"] = String(level);
    req.headers["x-plugin-tags"] = tags.join(" ");
  }
  next();
};
