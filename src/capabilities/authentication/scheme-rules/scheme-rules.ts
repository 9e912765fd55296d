import type { ConfigRule } from "../../../config/rules/rule.ts";
import { quote } from "../../../json/json-node.ts";
import { findMember, isUnwritten, locate } from "../../../json/place.ts";
import { schemeTypes, type SchemeConfig } from "../scheme-keys.ts";
import { keyFaults } from "./api-key-faults.ts";
import { contradictory, incomplete, type SchemeFault, type WrittenScheme } from "./scheme-fault.ts";
import { placeFaults } from "./place-faults.ts";
import {
  algorithmFaults,
  audienceListFaults,
  claimFaults,
  endpointFaults,
  secretFaults,
  sourceFaults,
} from "./token-faults.ts";

/** A scheme has what it needs, and nothing in it lets in who should stay outside. */
export const checkSchemes: ConfigRule = function checkSchemes({ global: { config, place }, report }) {
  for (const [name, scheme] of Object.entries(config.AuthenticationSchemes ?? {}) as [string, WrittenScheme][]) {
    const written = locate(place, ["AuthenticationSchemes", name]);
    const faults = [...findFaults(scheme), ...audienceListFaults(findMember(written, "Audience")?.node)];
    for (const { code, within = [], message, unlessWritten } of faults) {
      if (unlessWritten !== undefined && !isUnwritten(written, unlessWritten)) continue;
      report(code, locate(place, ["AuthenticationSchemes", name, ...within]), `scheme ${quote(name)}: ${message}`);
    }
  }
};

function findFaults(scheme: WrittenScheme): readonly SchemeFault[] {
  const { Type: type } = scheme;
  if (type === undefined) return [incomplete("Type", schemeTypes.join(" or "))];
  return [...foreignKeys(scheme, type), ...faultsOf[type](scheme)];
}

/** The keys that only some types know, and which. */
const typesByKey: Readonly<Partial<Record<keyof SchemeConfig, readonly SchemeConfig["Type"][]>>> = {
  ...ofTypes(
    ["Jwt", "Introspection"],
    [...(["Issuer", "Audience", "RequiredClaims", "From", "Forward", "SocketsOutliveToken"] as const)],
  ),
  ...ofTypes(["Jwt"], ["JwksUri", "KeyFile", "Secret", "Algorithms", "Types", "ClockTolerance", "KeysMaxAge"]),
  ...ofTypes(["Introspection"], ["Url", "ClientId", "ClientSecret"]),
  ...ofTypes(["ApiKey"], ["Header", "Keys"]),
};

function ofTypes(types: readonly SchemeConfig["Type"][], keys: readonly (keyof SchemeConfig)[]): typeof typesByKey {
  return Object.fromEntries(keys.map((key) => [key, types]));
}

const faultsOf: Readonly<Record<SchemeConfig["Type"], (scheme: WrittenScheme) => readonly SchemeFault[]>> = {
  Jwt: (scheme) => [
    ...claimFaults(scheme),
    ...placeFaults(scheme),
    ...sourceFaults(scheme),
    ...secretFaults(scheme),
    ...algorithmFaults(scheme),
  ],
  Introspection: (scheme) => [...endpointFaults(scheme), ...claimFaults(scheme), ...placeFaults(scheme)],
  ApiKey: keyFaults,
};

function foreignKeys(scheme: WrittenScheme, type: SchemeConfig["Type"]): readonly SchemeFault[] {
  const found = Object.keys(scheme) as readonly (keyof SchemeConfig)[];
  const foreign = found.filter((key) => scheme[key] !== undefined && typesByKey[key]?.includes(type) === false);
  return foreign.map((key) => contradictory(key, `"${key}" means nothing for "Type": "${type}"`));
}
