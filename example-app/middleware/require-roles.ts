import type { GatewayHandler } from "../../src/index.ts";

/** Lets a request through when it brings one of the roles that the route's metadata names, or when they name none. */
export const requireRoles: GatewayHandler = function requireRoles(req, res, next) {
  const allowed = res.locals.route.getMetadata("roles", "string[]", []);
  // A header stands in for a real login here: anybody can send it.
  const brought = (req.get("x-roles") ?? "").split(",").map((role) => role.trim());
  if (allowed.length === 0 || allowed.some((role) => brought.includes(role))) next();
  else res.status(403).json({ error: "One of these roles is needed.", roles: allowed });
};
