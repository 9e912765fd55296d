import type { RedirectTerms } from "../capabilities/http-handler/effective-handler.ts";
import type { TimeLimits } from "../capabilities/timeouts/call-clocks.ts";
import type { ConnectionSettings } from "../capabilities/tls/connection-settings.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import type { ConnectionPlaces } from "./connection-places.ts";
import type { Engine } from "./engines/engine.ts";

/** How the requests of a route are sent. */
export type SendSettings = Readonly<{
  engine: Pick<Engine, "forward">;
  connection: ConnectionSettings;
  hosts: RouteHosts;
  times: TimeLimits;
  /** Only where redirects are followed. */
  redirects: RedirectTerms | undefined;
  /** Whether handshakes are sent, to which 101 is the answer. */
  upgrades?: true;
  /** Only where connections are limited. */
  places: ConnectionPlaces | undefined;
}>;
