import { isEmptyNode, type JsonNode } from "./json-node.ts";

/** Something that guards a route in Ocelot: when it is switched on, what is lost without it, and how to do it here. */
export type Lock = Readonly<{ isActive(node: JsonNode): boolean; loss: string; instead: string }>;

const open = "what it guards would stand open";

const identityLock: Lock = {
  isActive: hasEntries,
  loss: "the identity that travels in it would be missing",
  instead: "set it in a middleware, from what your authentication found out",
};

const rateLimit: Lock = {
  isActive: isRateLimited,
  loss: "clients could send as much as they like",
  instead: "limit the rate in a middleware, such as express-rate-limit",
};

/** Keys that guard a route or all routes; one that is switched on and that nothing fulfils stops the start. */
export const locks: Readonly<Record<string, Lock>> = {
  AuthenticationOptions: {
    isActive: isAuthenticated,
    loss: open,
    instead: "authenticate in a middleware, such as passport or express-oauth2-jwt-bearer",
  },
  RouteClaimsRequirement: { isActive: hasEntries, loss: open, instead: "check the claims in a middleware" },
  SecurityOptions: {
    isActive: hasAddressLists,
    loss: open,
    instead: "check the address of the client in a middleware",
  },
  RateLimitOptions: rateLimit,
  RateLimiting: { ...rateLimit, isActive: hasEntries },
  AddHeadersToRequest: identityLock,
  AddClaimsToRequest: identityLock,
  AddQueriesToRequest: identityLock,
  ChangeDownstreamPathTemplate: identityLock,
  DelegatingHandlers: {
    isActive: hasEntries,
    loss: "what those handlers do would not be done",
    instead: 'write them in JavaScript and pass them as the option "handlers" of createGateway',
  },
};

const dynamicRoutes: Lock = {
  isActive: hasEntries,
  loss: "those services would not be reached",
  instead: 'write each as a route with "ServiceName"',
};

/** Keys beside `Routes` that declare whole paths; with entries they stop the start. */
export const routeSources: Readonly<Record<string, Lock>> = {
  Aggregates: {
    isActive: hasEntries,
    loss: "those paths would be missing",
    instead: "answer them with a handler of your own in Express",
  },
  DynamicRoutes: dynamicRoutes,
  DynamicReRoutes: dynamicRoutes,
};

const providerKeys = ["AuthenticationProviderKey", "AuthenticationProviderKeys", "Provider"];

// What is written as something else than Ocelot's object is taken as a lock: better refused than open.
function isAuthenticated(node: JsonNode): boolean {
  if (node.kind !== "object") return hasEntries(node);
  return providerKeys.some((key) => hasMember(node, key)) && memberText(node, "AllowAnonymous") !== "true";
}

function isRateLimited(node: JsonNode): boolean {
  if (node.kind !== "object") return hasEntries(node);
  const enabled = memberText(node, "EnableRateLimiting");
  // Since version 24.1 Ocelot takes a rule that does not say so as switched on.
  if (enabled === undefined) return hasMember(node, "Limit") && hasMember(node, "Period");
  return enabled !== "false";
}

function hasAddressLists(node: JsonNode): boolean {
  if (node.kind !== "object") return hasEntries(node);
  return hasMember(node, "IPAllowedList") || hasMember(node, "IPBlockedList");
}

function hasEntries(node: JsonNode): boolean {
  if (node.kind === "object") return node.members.some((member) => hasEntries(member.node));
  if (node.kind === "array") return node.items.some(hasEntries);
  return !isEmptyNode(node);
}

function hasMember(node: JsonNode, name: string): boolean {
  return membersNamed(node, name).some(hasEntries);
}

function memberText(node: JsonNode, name: string): string | undefined {
  const written = membersNamed(node, name).filter(hasEntries).at(-1);
  if (written === undefined) return undefined;
  return "text" in written ? written.text.trim().toLowerCase() : "";
}

function membersNamed(node: JsonNode, name: string): readonly JsonNode[] {
  if (node.kind !== "object") return [];
  const wanted = name.toLowerCase();
  return node.members.filter((member) => member.name.toLowerCase() === wanted).map((member) => member.node);
}
