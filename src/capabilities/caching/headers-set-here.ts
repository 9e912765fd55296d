import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { effectiveTransforms } from "../../headers/transforms/effective-transforms.ts";

/**
 * The headers, by names in lower case, that are set here for a route, or choose it. What a client sends under such a name
 * tells answers apart even where it is the very value that is set here: it may be another one for each client.
 */
export type HeadersSetHere = Readonly<{
  /** Whether the configuration says so. */
  isTold: (name: string) => boolean;
  /** Whether middleware or a handler has been seen to. */
  isSeen: (name: string) => boolean;
  see: (name: string) => void;
}>;

type Configured = Pick<RouteConfig, "UpstreamHeaderTransform" | "AddHeadersToRequest" | "UpstreamHeaderTemplates">;

// Middleware that changes whatever clients send may be seen to set any name.
const mostSeen = 1_000;

/** Tells which headers a route compares, and which are set for it by transforms, claims and, as requests come, by code. */
export function createHeadersSetHere(
  config: Configured,
  global: Pick<GlobalConfig, "UpstreamHeaderTransform">,
): HeadersSetHere {
  const named = { ...config.AddHeadersToRequest, ...config.UpstreamHeaderTemplates };
  const lowered = Object.keys(named).map((name) => name.toLowerCase());
  const told = new Set([...effectiveTransforms("request", config, global).keys(), ...lowered]);
  const seen = new Set<string>();
  return {
    isTold: (name) => told.has(name),
    isSeen: (name) => seen.size === mostSeen || seen.has(name),
    see(name) {
      if (seen.size < mostSeen) seen.add(name);
    },
  };
}
