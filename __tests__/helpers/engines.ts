import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { createHttpProxyMiddlewareEngine } from "../../src/forwarding/engines/http-proxy-middleware.ts";
import { undiciEngine } from "../../src/undici.ts";

/** Every engine of the package; what one does, all must do. Where they share rows in short forms, each has its turn. */
export const engines: readonly Readonly<{ name: string; create: () => Engine; turn: number }>[] = [
  { name: "http-proxy-middleware", create: createHttpProxyMiddlewareEngine, turn: 0 },
  { name: "undici", create: undiciEngine, turn: 1 },
];
