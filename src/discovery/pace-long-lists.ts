import type { ShareOfTime } from "../asking/share-of-time.ts";
import { isLong } from "../hosts/list-of-route.ts";

/** Hears what is told of a service. */
type Listener = Readonly<{
  told: (instances: readonly unknown[]) => void;
  failed: (error: unknown) => void;
}>;

/** What is done with what is told, in which part of the time where that is much, and until when. */
type Pace = Readonly<{
  take: (instances: readonly unknown[]) => void;
  /** Nothing has failed since the list was told that was taken. */
  works: () => void;
  failed: (error: unknown) => void;
  /** Whether there is a list with which requests can go on: else they wait for the next one, or are refused. */
  isUsable: () => boolean;
  share: Pick<ShareOfTime, "isFree" | "wait" | "spend">;
  signal: AbortSignal;
}>;

/**
 * Takes lists of instances as they are told. As hundreds of routes may make a list of each, the next long one is taken as soon
 * as their share of the time allows it, and those that are told until then are passed over.
 */
export function paceLongLists({ take, works, failed, isUsable, share, signal }: Pace): Listener {
  let newest: readonly unknown[] | undefined;
  let hasFailed = false;
  return { told, failed: fail };

  function told(instances: readonly unknown[]): void {
    hasFailed = false;
    if (!isLong(instances) || !isUsable() || share.isFree()) {
      newest = undefined;
      takeNow(instances);
    } else {
      if (newest === undefined) void takeLater();
      newest = instances;
    }
  }

  async function takeLater(): Promise<void> {
    await share.wait(signal);
    const instances = newest;
    newest = undefined;
    // A short list may have been told meanwhile, or nobody wants to hear of the service any more.
    if (instances === undefined || signal.aborted) return;
    try {
      share.spend(() => takeNow(instances));
    } catch (error) {
      fail(error);
    }
  }

  function takeNow(instances: readonly unknown[]): void {
    take(instances);
    if (!hasFailed) works();
  }

  function fail(error: unknown): void {
    hasFailed = true;
    failed(error);
  }
}
