import { usualShare } from "./retry-budget.ts";
import type { RetryConfig } from "./retry-keys.ts";

/** Which requests of a route are sent once more, and how often. */
export type RetryTerms = Readonly<{
  count: number;
  statuses: ReadonlySet<number>;
  methods: ReadonlySet<string>;
  share: number;
}>;

const usualStatuses = [502, 503, 504];
const idempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"];

/** What a route says about retries; undefined where it wants none. */
export function retryTermsOf({ Retry: retry }: Readonly<{ Retry?: RetryConfig | undefined }>): RetryTerms | undefined {
  if (retry === undefined) return undefined;
  const { Count: count = 1, Statuses: statuses, Methods: methods, Budget: share = usualShare } = retry;
  return {
    count,
    statuses: new Set(statuses ?? usualStatuses),
    methods: new Set(methods ?? idempotent),
    share,
  };
}
