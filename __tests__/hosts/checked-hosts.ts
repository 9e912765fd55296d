import { afterEach } from "@jest/globals";

export const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Addresses of this machine. */
export function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `127.0.${index >> 8}.${index & 255 || 255}`);
}
