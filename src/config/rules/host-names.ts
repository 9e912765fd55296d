import { quote } from "../../json/json-node.ts";
import { isUnwritten, locate, type Place } from "../../json/place.ts";
import type { HostConfig } from "../../forwarding/downstream-keys.ts";
import { canStandInOrigin } from "../../hosts/host-origin.ts";
import type { Report } from "../problems/problem-list.ts";
import type { RouteRule } from "./rule.ts";
import { overlayAdvice } from "./target-missing.ts";

const hostName = /^[^\s/\\?#@:[\]{}]+$/;
const ipv6Address = /^\[?[0-9a-f.]*:[0-9a-f:.]*\]?$/i;

/** Every host entry names a host and nothing else. */
export const checkHosts: RouteRule = function checkHosts({ config, place }, report) {
  const hosts = config.DownstreamHostAndPorts as readonly (Partial<HostConfig> | undefined)[] | undefined;
  hosts?.forEach((host, index) => {
    // An entry that is no object was reported when it was read.
    if (host === undefined || (host.Host !== undefined && isHostName(host.Host))) return;
    const entry = locate(place, ["DownstreamHostAndPorts", index]);
    if (host.Host !== undefined) reportHostName(host.Host, locate(entry, ["Host"]), report);
    else if (isUnwritten(entry, "Host")) {
      report("host-missing", entry, `the entry has no host: expected "Host": "example.org"; ${overlayAdvice}`);
    }
  });
};

/** Whether a text is a host and nothing else. */
export function isHostName(host: string): boolean {
  return (hostName.test(host) || ipv6Address.test(host)) && canStandInOrigin(host);
}

/** Reports a text that is no host. */
export function reportHostName(host: string, place: Place, report: Report, advice?: string): void {
  const expected = "expected a host name or address without scheme, port and path";
  report(
    "host-invalid",
    place,
    `${expected}, found ${quote(host)}${advice === undefined ? variableHint(host) : `; ${advice}`}`,
  );
}

// As tools of many kinds write what they fill in before the file is read: #{X}#, ${X}, {{X}}, {X}.
const filledIn = /^(?:#\{|\$\{|\{\{?)(\w+)(?:\}#|\}\}?)$/;

function variableHint(host: string): string {
  const [, name] = filledIn.exec(host) ?? [];
  return name === undefined
    ? ""
    : `; to have an environment variable put there, write "\${${name}}" and load with --env, in code with the option "environment"`;
}
