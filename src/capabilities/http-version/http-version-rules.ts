import type { ConfigRule, GlobalEntry, RouteEntry } from "../../config/rules/rule.ts";
import { quote } from "../../json/json-node.ts";
import { locate, type Place } from "../../json/place.ts";

const keys = ["DownstreamHttpVersion", "DownstreamHttpVersionPolicy"] as const;

/** Downstream 1.1 is spoken: where that is not allowed the start stops, and where it is more than asked for it is told. */
export const checkHttpVersions: ConfigRule = function* checkHttpVersions({ routesAskingFor, global, report }) {
  const told = new Set<unknown>();
  for (const route of routesAskingFor(...keys)) {
    yield;
    const [version, policy = "RequestVersionOrLower"] = keys.map((key) => route.config[key] ?? global.config[key]);
    const isOld = version === "1.0";
    if (!isOld && (!isNew(version) || policy === "RequestVersionOrLower")) continue;
    const { place, key } = writtenAt(route, global);
    if (told.has(place)) continue;
    told.add(place);
    const at = locate(place, [key]);
    if (isOld) report("http-version-raised", at, "HTTP/1.0 is asked for, and HTTP/1.1 is sent: write 1.1");
    else report("http-version-missing", at, missing(version!, policy));
  }
};

function isNew(version: string | undefined): boolean {
  return version === "2.0" || version === "3.0";
}

/** The last of the two keys that the route has, else the version for all of them, which is told once. */
function writtenAt(route: RouteEntry, global: GlobalEntry): Readonly<{ place: Place; key: (typeof keys)[number] }> {
  const own = keys.findLast((key) => route.config[key] !== undefined);
  return own === undefined ? { place: global.place, key: keys[0] } : { place: route.place, key: own };
}

function missing(version: string, policy: string): string {
  const found = `HTTP/1.1 is spoken downstream, and ${quote(policy)} wants HTTP/${version} at least`;
  return `${found}: leave both keys out, or write "DownstreamHttpVersionPolicy": "RequestVersionOrLower"`;
}
