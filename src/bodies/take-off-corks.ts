import type { ServerResponse } from "node:http";

/**
 * Lets go what code has corked a response for: once the response ends, that would leave behind its last chunk (seen in Node
 * 24).
 */
export function takeOffCorks(res: ServerResponse): void {
  if (res.writableCorked === 0) return;
  while (res.writableCorked > 0) res.uncork();
  uncorkNoFurther(res);
}

/**
 * Lets code uncork a response in vain that it has corked no longer, or only seemed to: Node counts on below nothing, takes
 * that for corked, and keeps chunks back that leave behind the last one.
 */
export function uncorkNoFurther(res: ServerResponse): void {
  const uncork = Reflect.get<ServerResponse, "uncork">(res, "uncork");
  res.uncork = function uncorkIfCorked(): void {
    if (res.writableCorked > 0) Reflect.apply(uncork, res, []);
  };
}
