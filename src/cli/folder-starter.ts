import { createLockedGlobal } from "./locked-starter.ts";

/** Commented files that are one configuration, by their names; with the digest of an API key its routes are locked. */
export function createFolderStarter(sha256: string | undefined): Readonly<Record<string, string>> {
  const isLocked = sha256 !== undefined;
  return {
    "ocelot.global.json": `{\n${isLocked ? createLockedGlobal(sha256) : openGlobal}\n}\n`,
    "ocelot.orders.json": orders,
    "ocelot.pages.json": pages,
    "ocelot.parcels.json": parcels.replace(placeOfLock, isLocked ? parcelsLock : ""),
  };
}

const openGlobal = `  // What holds for the routes of all files.
  "GlobalConfiguration": {
    // The header in which each request gets an id, and by which it is found in all logs.
    "RequestIdKey": "X-Request-Id",
  },`;

const orders = `{
  // A service has a file of its own. Files count in the order of their names.
  "Routes": [
    {
      // The name of the route in logs and errors, and for the aggregates of all files.
      "Key": "order",
      "UpstreamPathTemplate": "/orders/{id}",
      "UpstreamHttpMethod": ["Get", "Put"],
      "DownstreamPathTemplate": "/api/orders/{id}",
      "DownstreamHostAndPorts": [{ "Host": "localhost", "Port": 5001 }],
    },
  ],
}
`;

const placeOfLock = "<lock>";

const parcels = `{
  "Routes": [
    {
      "Key": "parcel",
      "UpstreamPathTemplate": "/parcels/{id}",
      "UpstreamHttpMethod": ["Get"],
      "DownstreamPathTemplate": "/api/parcels/{id}",
      "DownstreamHostAndPorts": [{ "Host": "localhost", "Port": 5002 }],${placeOfLock}
    },
  ],
}
`;

const parcelsLock = `
      // Schemes of its own replace the global ones; the first that recognises the client lets it in.
      "AuthenticationOptions": { "AuthenticationProviderKeys": ["Partners", "Bearer"] },`;

const pages = `{
  "Aggregates": [
    {
      "Key": "order-page",
      "UpstreamPathTemplate": "/pages/orders/{id}",
      // Asks both at the same time, and answers { "order": …, "parcel": … }. The locks of both hold.
      "RouteKeys": ["order", "parcel"],
    },
  ],
}
`;
