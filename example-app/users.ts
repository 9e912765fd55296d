/** What the OpenID provider puts into a user's token: a scope, which may be empty, and a claim. */
export type User = Readonly<{ scope: string; role: string }>;

/** Whom the example knows, by name. */
export const users: ReadonlyMap<string, User> = new Map([
  ["laura", { scope: "ledger.read", role: "accountant" }],
  ["tom", { scope: "", role: "clerk" }],
]);
