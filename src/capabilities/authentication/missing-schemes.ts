import type { GlobalEntry, ConfigRule, RouteEntry } from "../../config/rules/rule.ts";
import { locate, type Place } from "../../json/place.ts";
import { ownerOf } from "../../route-name.ts";
import { describeUnknown, type NameOrigin } from "../look-up-name.ts";
import { requirementOf, schemesOf } from "../../identity/required-schemes.ts";

const options = "AuthenticationOptions";

/** Who asks for a scheme, where it was looked for, and the lines that would supply it. */
export function originOfSchemes(owner: string, source: string): NameOrigin {
  const remedy = (name: string) => ` Pass it in code, or write it into the configuration:\n${linesFor(name)}`;
  return { source, asker: `"${options}" of ${owner}`, remedy };
}

function originToSupply(owner: string): NameOrigin {
  const ways = 'pass it in the option "authentication" of createGateway(), or write it into the configuration';
  const remedy = (name: string) => ` Without it the gateway does not start: ${ways}:\n${linesFor(name)}`;
  return { source: '"AuthenticationSchemes"', asker: `"${options}" of ${owner}`, remedy };
}

function linesFor(name: string): string {
  const lines = [
    '"GlobalConfiguration": {',
    '  "AuthenticationSchemes": {',
    `    ${JSON.stringify(name)}: { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }`,
    "  }",
    "}",
  ];
  return lines.join("\n");
}

/** Who asks for a scheme first: a route, or what stands for all of them. */
type Asked = Readonly<{ name: string; first: RouteEntry | undefined; others: RouteEntry[] }>;

/** Warns of schemes that routes name and that the file does not define: without code, such a gateway does not start. */
export const warnOfMissingSchemes: ConfigRule = function* warnOfMissingSchemes({ routes, global, report }) {
  const known = global.config.AuthenticationSchemes ?? {};
  const missing = new Map<string, Asked>();
  for (const name of schemesOf(global.config[options] ?? {})) {
    if (!Object.hasOwn(known, name)) missing.set(name, { name, first: undefined, others: [] });
  }
  for (const route of routes) {
    yield;
    for (const name of requirementOf(route.config, global.config)?.schemes ?? []) {
      if (Object.hasOwn(known, name)) continue;
      const asked = missing.get(name);
      if (asked === undefined) missing.set(name, { name, first: route, others: [] });
      else asked.others.push(route);
    }
  }
  for (const asked of missing.values()) {
    yield;
    const message = describeUnknown(Object.keys(known), asked.name, originToSupply(ownersOf(asked)));
    report("scheme-missing", placeOf(asked, global), message);
  }
};

function ownersOf({ first, others }: Asked): string {
  if (first === undefined) return "all routes";
  const { config, index } = first;
  const owner = ownerOf(config, `Routes[${index}]`);
  if (others.length === 0) return owner;
  return `${owner}, and of ${others.length} more ${others.length === 1 ? "route" : "routes"},`;
}

/** Where the name stands: on the route, or in what holds for all routes. */
function placeOf({ name, first }: Asked, global: GlobalEntry): Place {
  const { place, config } = first ?? global;
  const { AuthenticationProviderKey: single, AuthenticationProviderKeys: several = [] } = config[options] ?? {};
  if (single === name) return locate(place, [options, "AuthenticationProviderKey"]);
  return locate(place, [options, "AuthenticationProviderKeys", several.indexOf(name)]);
}
