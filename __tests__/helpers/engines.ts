import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { createHttpProxyMiddlewareEngine } from "../../src/forwarding/engines/http-proxy-middleware.ts";
import { undiciEngine } from "../../src/undici.ts";

/** Every engine of the package; what one does, all must do. */
export const engines: readonly Readonly<{ name: string; create: () => Engine }>[] = [
  { name: "http-proxy-middleware", create: createHttpProxyMiddlewareEngine },
  { name: "undici", create: undiciEngine },
];
