import type { ShareOfTime } from "../asking/share-of-time.ts";
import type { Instance } from "../hosts/host.ts";
import type { Service } from "./service.ts";

/** An instance as finders tell it. */
export type FoundInstance = Instance &
  Readonly<{
    /** False for one that takes no requests at the moment: it is a place of the service all the same. */
    ready?: boolean | undefined;
  }>;

/**
 * Finds the instances of a service: tells them with `update`, each time all of them, and may go on telling until the
 * signal ends it. Where it returns, it is called again after `PollingInterval`; where it fails, after a while.
 */
export type InstanceFinder = (
  service: Service,
  update: (instances: readonly FoundInstance[]) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Whether an instance may stand at an address; names that are no addresses are judged once they are looked up. */
export type AllowsAddress = (host: string) => boolean;

/** Somebody who knows where services run, and how far it is believed. */
export type Provider = Readonly<{
  /** As the configuration calls it. */
  name: string;
  /** All that decides what it tells: providers of two configurations with the same key are the same. */
  key: string;
  find: InstanceFinder;
  /** By what it knows a service: the same text for two spellings that mean the same one to it. */
  identify: (service: Service) => string;
  /** What kind of registry it is: providers of one kind may know the same services, wherever they ask. */
  kind: string;
  /** The names under which an entry of `DynamicRoutes` would be for a service, that of the service itself first. */
  namesOf: (service: Service) => readonly string[];
  allowsAddress: AllowsAddress;
  /** What the configuration allows of the addresses at which no service should stand; undefined where all are. */
  allowedAddresses: readonly string[] | undefined;
  /** Milliseconds until a finder that has returned is called again. */
  interval: number;
  /** Milliseconds that the last list counts while nothing new can be had. */
  maxStale: number;
  /** Whether it makes a difference to it by which scheme a service is spoken to. */
  readsScheme: boolean;
  /** The part of the time that routes may work at their lists of what it tells. */
  listing: ShareOfTime;
  close: () => void;
}>;
