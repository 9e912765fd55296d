/** How often something may be taken: so many times in a period, and how long not after the first refusal; milliseconds. */
export type Quota = Readonly<{
  limit: number;
  period: number;
  /** 0 where refusals end with the period. */
  wait: number;
}>;

/** Who takes, and of what: `group` is what the clients of one limit have in common. */
export type Taking = Readonly<{
  group: string;
  client: string;
  quota: Quota;
  /** 0 only looks. */
  amount: 0 | 1;
}>;

/** What came of taking; milliseconds. */
export type Taken = Readonly<{
  remaining: number;
  /** Until when nothing more can be taken; undefined where it was taken. */
  refusedFor: number | undefined;
  /** Until a new period begins. */
  resetsIn: number;
}>;

/** Takes, by the store's own clock; exact however many take at the same time. */
export type Take = (taking: Taking) => Taken | Promise<Taken>;

/** Where counts live; what all processes of a gateway share. */
export type Store = Readonly<{ take: Take }>;
