import type { Provider } from "./provider.ts";

/** How long a last list counts while its provider fails, unless the configuration says otherwise. */
export const usualStaleSeconds = 600;

/** When a list was told last, by `performance.now()`, and whether nothing new can be had at the moment. */
type Told = Readonly<{ toldAt: number | undefined; isFailing: boolean }>;

/** Whether a list counts: what was told while nobody fails, and for a while after that. */
export function counts({ toldAt, isFailing }: Told, { maxStale }: Pick<Provider, "maxStale">): boolean {
  return toldAt !== undefined && (!isFailing || performance.now() - toldAt <= maxStale);
}
