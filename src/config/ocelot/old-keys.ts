import type { SectionName } from "../sections.ts";

/** What an old key is read as today; undefined where it is ignored. */
export type OldKey = Readonly<{ name: string; today: string | undefined; instead: string }>;

/** Spellings of earlier Ocelot versions that are still about: read, with a warning. */
export const oldKeys: Readonly<Record<SectionName, readonly OldKey[]>> = {
  root: [{ name: "ReRoutes", today: "Routes", instead: 'write "Routes"' }],
  route: [
    { name: "ReRouteIsCaseSensitive", today: "RouteIsCaseSensitive", instead: 'write "RouteIsCaseSensitive"' },
    { name: "LoadBalancer", today: "LoadBalancerOptions", instead: 'write "LoadBalancerOptions": { "Type": … }' },
    {
      name: "DownstreamHost",
      today: "DownstreamHostAndPorts",
      instead: 'write "DownstreamHostAndPorts": [{ "Host": … }]',
    },
    { name: "DownstreamPort", today: undefined, instead: 'write "DownstreamHostAndPorts": [{ "Port": … }]' },
    { name: "UseServiceDiscovery", today: undefined, instead: 'it is ignored: "ServiceName" alone decides' },
  ],
  options: [{ name: "Metadata", today: undefined, instead: 'write it under "GlobalConfiguration"' }],
};
