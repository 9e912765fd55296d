import type { ConfigRule } from "../../../config/rules/rule.ts";
import { GatewayError } from "../../../errors.ts";
import { plainName } from "../../../headers/header-aliases.ts";
import { quote } from "../../../json/json-node.ts";
import { locate } from "../../../json/place.ts";
import type { CredentialPlaces } from "../credential-places.ts";
import { placesOf } from "../schemes/places-of-scheme.ts";

const why = "a scheme reads credentials there, and an id is logged and goes back to the client";

/** The id of a request is no credential: it goes to services, into logs and back to the client. */
export const checkRequestIdHeaders: ConfigRule = function* checkRequestIdHeaders({ routesAskingFor, global, report }) {
  const read = credentialHeadersOf(Object.values(global.config.AuthenticationSchemes ?? {}).map(placesOf));
  if (read.size === 0) return;
  for (const { config, place } of [global, ...routesAskingFor("RequestIdKey")]) {
    yield;
    const name = config.RequestIdKey;
    if (name === undefined || !isAmong(read, name)) continue;
    const message = `expected a header that no scheme reads, found ${quote(name)}: ${why}`;
    report("header-name-reserved", locate(place, ["RequestIdKey"]), message);
  }
};

/** Refuses the header of an id in which a scheme that was passed in code reads credentials. */
export function refuseRequestIdHeader(name: string | undefined, read: ReadonlySet<string>): void {
  if (name === undefined || !isAmong(read, name)) return;
  throw new GatewayError("option-invalid", `"RequestIdKey" is ${quote(name)}, but ${why}. Choose another header.`);
}

/** The headers in which schemes read credentials, as upstreams read their names. */
export function credentialHeadersOf(places: readonly CredentialPlaces[]): ReadonlySet<string> {
  const names = places.flatMap(({ headers = [], subprotocol }) => [
    ...headers,
    ...(subprotocol === true ? ["sec-websocket-protocol"] : []),
  ]);
  return new Set(names.map((name) => plainName(name.toLowerCase())));
}

function isAmong(read: ReadonlySet<string>, name: string): boolean {
  return read.has(plainName(name.toLowerCase()));
}
