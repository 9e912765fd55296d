import { sleep } from "../../sleep.ts";
import type { InstanceFinder } from "../provider.ts";
import { isObject, type JsonObject } from "../../json/json-object.ts";
import { measureInSlices } from "../../rest-after-work.ts";
import type { Steps } from "../../time-slices.ts";
import { createSliceKeeper, type KeptSlices } from "./kept-slices.ts";
import type { ReadJson } from "./read-json.ts";
import type { RegistryAnswer, RegistryClient } from "./registry-client.ts";
import { type SeldomTelling, tellSeldom } from "./tell-seldom.ts";

/** What is asked of Kubernetes besides the service. */
type KubernetesSettings = Readonly<{
  client: RegistryClient;
  token: () => Promise<string | undefined>;
  /** The namespace of services that name none. */
  namespace: string;
  /** Whether Kubernetes tells what changes, or is asked again and again. */
  watches: boolean;
}>;

// A watch has a connection of its own: beyond so many services the others are asked at intervals.
const mostWatches = 1_000;
const answerMilliseconds = 10_000;
// The API server ends a watch at that time.
const watchSeconds = 290;
// Watches that end at once are not begun again without end.
const leastBetween = 500;

type Change = Readonly<{ type: unknown; object: JsonObject; length: number }>;

/** Makes the finder that reads the EndpointSlices of a service, and then follows what becomes of them. */
export function createKubernetesFinder(settings: KubernetesSettings): InstanceFinder {
  const tell = createSlicesTelling(settings);
  let watching = 0;

  return async function findInKubernetes(service, update, signal) {
    if (!settings.watches || watching >= mostWatches) return tell(false, service, update, signal);
    watching += 1;
    try {
      while (!signal.aborted) await tell(true, service, update, signal);
    } finally {
      watching -= 1;
    }
  };
}

/** Tells what there is of a service, and where it `follows` that, what becomes of it until the watch ends. */
type SlicesTelling = (follows: boolean, ...asked: Parameters<InstanceFinder>) => Promise<void>;

function createSlicesTelling({ client, token, namespace }: KubernetesSettings): SlicesTelling {
  const keepSlices = createSliceKeeper();

  return async function tellSlices(follows, service, update, signal) {
    const selector = encodeURIComponent(`kubernetes.io/service-name=${service.name}`);
    const place = service.namespace ?? namespace;
    const path = `/apis/discovery.k8s.io/v1/namespaces/${place}/endpointslices?labelSelector=${selector}`;
    const slices = keepSlices(service.scheme);
    try {
      const version = await list();
      const watch = new AbortController();
      const telling = tellSeldom({
        ...{ tell: () => update(slices.instances()), failed: (error) => watch.abort(error) },
        ...{ share: client.share, signal },
      });
      telling.now();
      if (follows) await endWith(signal, watch, () => follow(version, telling, watch.signal));
    } finally {
      slices.end();
    }

    /** The answer is not kept in memory while a watch goes on. */
    async function list(): Promise<string> {
      const answer = await client.ask(await question(path, answerMilliseconds));
      const { result, took } = await measureInSlices(readList(answer, slices));
      client.share.note(took);
      return result;
    }

    async function follow(version: string, telling: SeldomTelling, ended: AbortSignal): Promise<void> {
      const began = performance.now();
      const asked = await question(watchOf(path, version), watchSeconds * 1_000 + answerMilliseconds);
      try {
        await client.follow({ ...asked, signal: ended }, (told) => {
          if (applyChange(readChange(told), slices)) telling.soon();
        });
      } finally {
        await telling.end();
      }
      await sleep(Math.max(leastBetween - (performance.now() - began), telling.rest()), signal);
    }

    async function question(asked: string, within: number): Promise<Parameters<RegistryClient["ask"]>[0]> {
      const known = await token();
      const authorization = known === undefined ? undefined : `Bearer ${known}`;
      return { path: asked, headers: { authorization }, within, signal };
    }
  };
}

function watchOf(path: string, version: string): string {
  const since = `resourceVersion=${encodeURIComponent(version)}`;
  return `${path}&watch=true&allowWatchBookmarks=true&${since}&timeoutSeconds=${watchSeconds}`;
}

/** Ends a watch with its service, too; a watch that was ended by a failure fails with that one. */
async function endWith(signal: AbortSignal, watch: AbortController, follow: () => Promise<void>): Promise<void> {
  const end = (): void => watch.abort(signal.reason);
  // Whoever takes the list may have ended it, and would not be heard any more.
  signal.throwIfAborted();
  signal.addEventListener("abort", end, { once: true });
  try {
    await follow();
    watch.signal.throwIfAborted();
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Keeps the slices of a list, and tells its version. */
function* readList({ json, length }: RegistryAnswer, slices: KeptSlices): Steps<string> {
  const { metadata, items } = isObject(json) ? json : {};
  if (!isObject(metadata) || !Array.isArray(items) || !items.every(isObject)) {
    throw new Error("Kubernetes has answered no list of EndpointSlices.");
  }
  for (const slice of items) {
    yield;
    slices.set(slice, length / items.length);
  }
  return readVersion(metadata.resourceVersion);
}

// Kubernetes itself tells a number of 64 bits. It stands in the URL of the watch for as long as that goes on.
const longestVersion = 256;

function readVersion(version: unknown): string {
  if (typeof version !== "string") return "";
  if (version.length <= longestVersion) return version;
  throw new Error(
    `Kubernetes has told a resourceVersion of ${version.length} characters; expected ${longestVersion} at most.`,
  );
}

function readChange({ json: change, length }: ReadJson): Change {
  const { type, object } = isObject(change) ? change : {};
  if (!isObject(object)) throw new Error("Kubernetes has told a change of nothing.");
  if (type === "ERROR")
    throw new Error(`Kubernetes has ended the watch: ${shown(object.code)} ${shown(object.reason)}.`);
  return { type, object, length };
}

/** Whether a change is one of the slices: a bookmark changes nothing. */
function applyChange({ type, object, length }: Change, slices: KeptSlices): boolean {
  if (type === "DELETED") return slices.delete(object);
  if (type !== "ADDED" && type !== "MODIFIED") return false;
  slices.set(object, length);
  return true;
}

const longestShown = 100;

/** A reason of any length would stand in the log. */
function shown(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, longestShown) : "?";
}
