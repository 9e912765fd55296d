import type { Breaker } from "./breaker.ts";

/** A host as a configuration or a registry names it. */
export type Instance = Readonly<{
  host: string;
  port: number;
  scheme?: "http" | "https" | undefined;
  /** How much of the requests it takes, beside the others; 1 where it is not said. */
  weight?: number | undefined;
  /** Not kept: nothing goes by them. */
  tags?: readonly string[];
}>;

/** A host of a route as a balancer of the user's sees it, at the moment of the choice. */
export type Host = Readonly<{
  host: string;
  port: number;
  scheme: "http" | "https";
  weight: number;
  /** Requests of the route that it has. */
  inFlight: number;
  /** False while its health checks fail. */
  healthy: boolean;
}>;

/** What health checks say of a host. */
export type HostHealth = Readonly<{ isUp: boolean }>;

/** What decides, besides the balancer, whether a host is asked. */
export type HostState = Readonly<{ breaker?: Breaker | undefined; health?: HostHealth | undefined }>;

/** One place in a route's list of hosts, and all that is known of the host. */
export type RouteHost = HostState &
  Readonly<{ origin: string; host: string; port: number; scheme: "http" | "https"; weight: number }> & {
    inFlight: number;
    /** What it is still owed by hosts that take turns. */
    credit: number;
  };

/** A host as it is told to others. */
export function toHost({ host, port, scheme, weight, inFlight, health }: RouteHost): Host {
  return { host, port, scheme, weight, inFlight, healthy: health?.isUp ?? true };
}
